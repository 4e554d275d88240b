import { posix, win32 } from 'node:path'
import { SluiceError } from '../../ground/errors.ts'
import type { Machine } from '../../ground/surroundings.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { appNamed } from '../../settings/known-apps.ts'
import { hookCommand } from './hook-command.ts'
import type { HookPlace, HookSpec } from './hook-spec.ts'
import { opencodePlugin } from './opencode-plugin.ts'

/** In seconds: the app goes on without an answer. */
const PATIENCE = 2

const http = ({ url, token }: HookPlace, app: string, event: string): JsonObject => ({
  type: 'http',
  url: `${url}/hook/${app}/${event}`,
  timeout: PATIENCE,
  headers: { Authorization: `Bearer ${token}` },
})

const command = (place: HookPlace, app: string, event: string, timeout: number): JsonObject => ({
  type: 'command',
  command: hookCommand(place, app, event),
  timeout,
})

/** A hook at each event; at that of outputs for its tools only. */
const atEvents = (
  outputEvent: string,
  others: readonly string[],
  hookAt: (place: HookPlace, event: string) => JsonObject,
) => ({
  outputEvent,
  entries: (place: HookPlace) => [
    {
      event: outputEvent,
      value: { matcher: place.tools.join('|'), hooks: [hookAt(place, outputEvent)] },
    },
    ...others.map((event) => ({ event, value: { hooks: [hookAt(place, event)] } })),
  ],
})

/** The app's folder: from its variable, else in the home folder. */
const inFolder =
  (variable: string | undefined, usual: readonly string[], ...file: readonly string[]) =>
  ({ platform, homeDir, env }: Machine): string => {
    const path = platform === 'win32' ? win32 : posix
    const own = variable === undefined ? undefined : env[variable]
    return own ? path.join(own, ...file) : path.join(homeDir, ...usual, ...file)
  }

const NEEDS_ENGINE =
  'The desktop app or `sluice serve` has to run; without it each hook costs one refused connection and changes nothing.'

/** Apps whose hooks Sluice writes. */
export const hookSpecs: readonly HookSpec[] = [
  {
    ...appNamed('claude-code'),
    kind: 'shared',
    file: inFolder('CLAUDE_CONFIG_DIR', ['.claude'], 'settings.json'),
    base: {},
    ...atEvents(
      'PostToolUse',
      [
        'UserPromptSubmit',
        'PostToolBatch',
        'SubagentStart',
        'SubagentStop',
        'Stop',
        'PreCompact',
        'SessionEnd',
      ],
      (place, event) => http(place, 'claude-code', event),
    ),
    remarks: [
      NEEDS_ENGINE,
      'Claude Code shows its hooks at /hooks. Sessions that are open take them up when they start again.',
    ],
    allowRules: ({ readCommand, dataDir }) => [
      `Bash(${readCommand} *)`,
      `Read(/${posix.join('/', dataDir.replaceAll('\\', '/'), 'results')}/**)`,
    ],
  },
  {
    ...appNamed('codex'),
    kind: 'shared',
    file: inFolder('CODEX_HOME', ['.codex'], 'hooks.json'),
    base: {},
    ...atEvents('PostToolUse', ['UserPromptSubmit', 'PreCompact', 'Stop'], (place, event) =>
      command(place, 'codex', event, 5),
    ),
    remarks: [
      'Codex runs a hook only after you trusted it: open /hooks in Codex. `codex exec` leaves out untrusted ones without a word.',
      'Codex shows "PostToolUse Blocked" where an output was shortened. That is how it takes another text; nothing was blocked.',
    ],
  },
  {
    ...appNamed('gemini-cli'),
    kind: 'shared',
    file: inFolder(undefined, ['.gemini'], 'settings.json'),
    base: {},
    ...atEvents('AfterTool', ['BeforeAgent', 'AfterAgent', 'PreCompress', 'SessionEnd'], (place, event) => ({
      name: 'sluice',
      ...command(place, 'gemini-cli', event, 3_000),
    })),
    remarks: [
      "Gemini CLI takes a shortened output as the result of Sluice's own tool proxy_read: wrap its MCP servers, too, or nothing is shortened.",
    ],
  },
  {
    id: 'copilot-cli',
    label: 'Copilot CLI',
    kind: 'own',
    file: inFolder('COPILOT_HOME', ['.copilot'], 'hooks', 'sluice.json'),
    text: (place) => {
      const entry = (event: string) => [
        {
          type: 'command',
          bash: hookCommand(place, 'copilot-cli', event, 'sh'),
          powershell: hookCommand(place, 'copilot-cli', event, 'powershell'),
          timeoutSec: 3,
        },
      ]
      const hooks = Object.fromEntries(
        ['postToolUse', 'userPromptSubmitted', 'sessionEnd'].map((event) => [event, entry(event)]),
      )
      return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`
    },
    remarks: [],
  },
  {
    ...appNamed('opencode'),
    kind: 'own',
    file: ({ platform, homeDir, env }) => {
      const path = platform === 'win32' ? win32 : posix
      const config = env['XDG_CONFIG_HOME']
      return path.join(config || path.join(homeDir, '.config'), 'opencode', 'plugins', 'sluice.js')
    },
    text: opencodePlugin,
    remarks: ['OpenCode loads plugins when it starts.'],
  },
  {
    ...appNamed('cursor'),
    kind: 'shared',
    file: inFolder(undefined, ['.cursor'], 'hooks.json'),
    base: { version: 1 },
    outputEvent: undefined,
    entries: (place) => [
      {
        event: 'beforeSubmitPrompt',
        value: { command: hookCommand(place, 'cursor', 'beforeSubmitPrompt') },
      },
    ],
    remarks: [
      'Cursor lets no hook replace the output of its own tools. What you ask becomes the goal of its MCP calls.',
    ],
  },
]

/** Throws for apps whose hooks Sluice doesn't write. */
export function hookSpecNamed(app: string): HookSpec {
  const spec = hookSpecOf(app)
  if (spec) return spec
  throw new SluiceError(
    'BAD_INPUT',
    `The own tools of "${app}" can't be covered. They can for ${hookSpecs.map(({ id }) => id).join(', ')}; for qwen-code, windsurf and cline it shows what to add. docs/built-in-tools.md has more.`,
  )
}

export const hookSpecOf = (app: string): HookSpec | undefined => hookSpecs.find(({ id }) => id === app)
