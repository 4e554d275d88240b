import type { Machine } from '../ground/surroundings.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'
import { appNamed } from '../settings/known-apps.ts'
import { chooseClaudeDesktopFile } from './claude-desktop-files.ts'
import { clientFolders } from './client-folders.ts'
import type { Alternatives, ClientSpec, EntryStyle, ServerPlace } from './client-spec.ts'
import {
  CLAUDE_CODE_PLACEHOLDERS,
  CONTINUE_PLACEHOLDERS,
  GEMINI_PLACEHOLDERS,
  GOOSE_PLACEHOLDERS,
  OPENCODE_PLACEHOLDERS,
  VSCODE_PLACEHOLDERS,
} from './entries/placeholders.ts'
import { isOffInClaudeCode, isOffInGemini } from './switched-off.ts'

const standard: EntryStyle = {
  command: 'command',
  env: 'env',
  localType: 'stdio',
  remote: { url: 'url', headers: 'headers' },
}
const withServerUrl: EntryStyle = { ...standard, remote: { url: 'serverUrl', headers: 'headers' } }
const withHttpType: EntryStyle = { ...standard, remote: { ...standard.remote, type: 'http' } }

const under =
  (...path: string[]) =>
  (): readonly ServerPlace[] => [{ path }]
const mcpServers = under('mcpServers')

function claudeCodePlaces(value: unknown): readonly ServerPlace[] {
  const projects = isJsonObject(value) ? value['projects'] : undefined
  const folders = isJsonObject(projects) ? Object.keys(projects) : []
  return [
    { path: ['mcpServers'] },
    ...folders.map((project) => ({ path: ['projects', project, 'mcpServers'], project })),
  ]
}

const inHome =
  (...parts: string[]) =>
  (machine: Machine): readonly Alternatives[] => [[clientFolders(machine).home(...parts)]]
const inAppData =
  (...parts: string[]) =>
  (machine: Machine): readonly Alternatives[] => [clientFolders(machine).appData(...parts)]

const vscodeFiles =
  (folder: string) =>
  (machine: Machine): readonly Alternatives[] => [
    ...inAppData(folder, 'User', 'mcp.json')(machine),
    ...inAppData(folder, 'User', 'profiles', '*', 'mcp.json')(machine),
  ]

/** One per VS Code variant. */
const extensionFiles =
  (extension: string, file: string) =>
  (machine: Machine): readonly Alternatives[] =>
    ['Code', 'Code - Insiders', 'Cursor', 'Windsurf'].flatMap((editor) =>
      inAppData(editor, 'User', 'globalStorage', extension, 'settings', file)(machine),
    )

const restart = (app: string): string => `Restart ${app}, then it takes effect.`

/** Most keep "mcpServers" in one file of the user's. */
const app = (
  id: Parameters<typeof appNamed>[0],
  spec: Partial<ClientSpec> & Pick<ClientSpec, 'files' | 'advice'>,
): ClientSpec => ({
  ...appNamed(id),
  projectFiles: [],
  places: mcpServers,
  style: standard,
  placeholders: [],
  ...spec,
})

const vscode = (id: 'vscode' | 'vscode-insiders', folder: string): ClientSpec =>
  app(id, {
    files: vscodeFiles(folder),
    projectFiles: ['.vscode/mcp.json'],
    places: under('servers'),
    style: withHttpType,
    placeholders: VSCODE_PLACEHOLDERS,
    advice: `${appNamed(id).label} takes it up when its servers are started again.`,
  })

/** How AI apps keep their servers: one entry each, no code elsewhere. */
export const CLIENTS: readonly ClientSpec[] = [
  app('claude-desktop', {
    files: inAppData('Claude', 'claude_desktop_config.json'),
    chooseFiles: chooseClaudeDesktopFile,
    advice: restart('Claude Desktop'),
  }),
  app('claude-code', {
    files: (machine) => {
      const folder = machine.env['CLAUDE_CONFIG_DIR']
      const { home } = clientFolders(machine)
      return folder
        ? [[clientFolders({ ...machine, homeDir: folder }).home('.claude.json')]]
        : [[home('.claude.json')]]
    },
    projectFiles: ['.mcp.json'],
    places: claudeCodePlaces,
    style: withHttpType,
    placeholders: CLAUDE_CODE_PLACEHOLDERS,
    isOff: isOffInClaudeCode,
    before: 'Claude Code writes to this file while it runs: end its sessions first.',
    advice: 'Start Claude Code again, then it takes effect.',
  }),
  app('cursor', {
    files: inHome('.cursor', 'mcp.json'),
    projectFiles: ['.cursor/mcp.json'],
    placeholders: VSCODE_PLACEHOLDERS,
    advice: 'Cursor takes it up by itself, or after Settings → MCP → refresh.',
  }),
  vscode('vscode', 'Code'),
  vscode('vscode-insiders', 'Code - Insiders'),
  app('windsurf', {
    files: inHome('.codeium', 'windsurf', 'mcp_config.json'),
    style: withServerUrl,
    placeholders: VSCODE_PLACEHOLDERS,
    advice: restart('Windsurf'),
  }),
  app('devin', {
    files: (machine) => {
      const { config, appData } = clientFolders(machine)
      return [
        machine.platform === 'win32'
          ? appData('devin', 'mcp_config.json')
          : config('devin', 'mcp_config.json'),
      ]
    },
    projectFiles: ['.devin/mcp_config.json'],
    placeholders: VSCODE_PLACEHOLDERS,
    advice: restart('Devin Desktop'),
  }),
  app('continue', {
    files: (machine) => [
      ...inHome('.continue', 'config.yaml')(machine),
      ...['*.yaml', '*.yml', '*.json'].flatMap((name) => inHome('.continue', 'mcpServers', name)(machine)),
    ],
    projectFiles: [
      '.continue/mcpServers/*.yaml',
      '.continue/mcpServers/*.yml',
      '.continue/mcpServers/*.json',
    ],
    style: {
      ...standard,
      remote: { url: 'url', headers: 'requestOptions', type: 'streamable-http' },
      newEntry: (name) => ({ name }),
    },
    placeholders: CONTINUE_PLACEHOLDERS,
    advice: 'Continue takes it up when its configuration is loaded again.',
  }),
  app('zed', {
    files: (machine) => {
      const { config, appData } = clientFolders(machine)
      const usual = config('zed', 'settings.json')
      return [machine.platform === 'win32' ? [...appData('Zed', 'settings.json'), ...usual] : usual]
    },
    projectFiles: ['.zed/settings.json'],
    places: under('context_servers'),
    style: { ...standard, newEntry: () => ({ source: 'custom' }) },
    advice: 'Zed takes it up at once.',
  }),
  app('cline', {
    files: extensionFiles('saoudrizwan.claude-dev', 'cline_mcp_settings.json'),
    style: { ...standard, remote: { ...standard.remote, type: 'streamableHttp' } },
    placeholders: VSCODE_PLACEHOLDERS,
    advice: 'Cline takes it up at once.',
  }),
  app('roo-code', {
    files: extensionFiles('rooveterinaryinc.roo-cline', 'mcp_settings.json'),
    projectFiles: ['.roo/mcp.json'],
    style: { ...standard, remote: { ...standard.remote, type: 'streamable-http' } },
    placeholders: VSCODE_PLACEHOLDERS,
    readOnly: 'Roo Code has ended: `sluice import roo-code` takes its servers over for another app.',
    advice: '',
  }),
  app('lm-studio', {
    files: inHome('.lmstudio', 'mcp.json'),
    advice: 'LM Studio takes it up at once.',
  }),
  app('gemini-cli', {
    files: inHome('.gemini', 'settings.json'),
    projectFiles: ['.gemini/settings.json'],
    style: { ...standard, remote: { url: 'httpUrl', headers: 'headers' }, urlIsSse: true },
    placeholders: GEMINI_PLACEHOLDERS,
    isOff: isOffInGemini,
    advice: restart('Gemini CLI'),
  }),
  app('antigravity', {
    files: inHome('.gemini', 'antigravity', 'mcp_config.json'),
    style: withServerUrl,
    advice: 'Antigravity takes it up after a refresh in its list of MCP servers.',
  }),
  app('codex', {
    files: (machine) => {
      const folder = machine.env['CODEX_HOME']
      const { home } = clientFolders(folder ? { ...machine, homeDir: folder } : machine)
      return [[folder ? home('config.toml') : home('.codex', 'config.toml')]]
    },
    projectFiles: ['.codex/config.toml'],
    places: under('mcp_servers'),
    style: { ...standard, remote: { url: 'url', headers: 'http_headers' } },
    advice: restart('Codex'),
  }),
  app('goose', {
    files: (machine) => {
      const { config, appData } = clientFolders(machine)
      return [
        machine.platform === 'win32'
          ? appData('Block', 'goose', 'config', 'config.yaml')
          : config('goose', 'config.yaml'),
      ]
    },
    places: under('extensions'),
    style: {
      command: 'cmd',
      env: 'envs',
      localType: 'stdio',
      needsType: true,
      remote: { url: 'uri', headers: 'headers', type: 'streamable_http' },
      newEntry: (name) => ({
        enabled: true,
        name,
        description: "Sluice's tools for kept results",
        timeout: 300,
      }),
    },
    placeholders: GOOSE_PLACEHOLDERS,
    advice: 'Goose takes it up in its next session.',
  }),
  app('junie', {
    files: inHome('.junie', 'mcp', 'mcp.json'),
    projectFiles: ['.junie/mcp/mcp.json'],
    advice: restart('Junie'),
  }),
  app('opencode', {
    files: (machine) => {
      const { config, localAppData } = clientFolders(machine)
      const names = ['opencode.json', 'opencode.jsonc']
      const usual = names.flatMap((name) => config('opencode', name))
      const local = names.map((name) => localAppData('opencode', name))
      return [machine.platform === 'win32' ? [...usual, ...local] : usual]
    },
    projectFiles: ['opencode.json', 'opencode.jsonc'],
    places: under('mcp'),
    style: {
      command: 'command',
      commandIsList: true,
      env: 'environment',
      localType: 'local',
      needsType: true,
      remote: { url: 'url', headers: 'headers', type: 'remote' },
      newEntry: () => ({ enabled: true }),
    },
    placeholders: OPENCODE_PLACEHOLDERS,
    advice: restart('OpenCode'),
  }),
]

export const OTHER_CLIENT: ClientSpec = {
  id: 'other',
  label: 'this file',
  files: () => [],
  projectFiles: [],
  places: (value) => {
    const known = ['mcpServers', 'servers', 'context_servers', 'mcp_servers', 'mcp', 'extensions']
    const found = known.filter((key) => isJsonObject(value) && Object.hasOwn(value, key))
    // VS Code's settings.json: { "mcp": { "servers": … } }
    const path = (key: string): string[] => {
      const container = isJsonObject(value) ? value[key] : undefined
      return key === 'mcp' && isJsonObject(container) && isJsonObject(container['servers'])
        ? [key, 'servers']
        : [key]
    }
    return found.slice(0, 1).map((key) => ({ path: path(key) }))
  },
  style: standard,
  placeholders: VSCODE_PLACEHOLDERS,
  advice: 'Restart the app, then it takes effect.',
}

export const clientNamed = (id: string): ClientSpec | undefined => CLIENTS.find((client) => client.id === id)
