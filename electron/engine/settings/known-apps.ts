import { APP_LABELS } from '../../../shared/app-labels.ts'
import type { ResultsSettings } from '../../../shared/results-settings.ts'
import type { ToolPolicy } from '../../../shared/settings.ts'

/** What is known of an AI app. How its configuration is written: client-configs/clients.ts, under the same id. */
interface KnownApp {
  /** In lower case, the names by which it introduces itself. */
  readonly names?: RegExp
  /** Its agent reads files of this machine or has a shell. Chat apps have neither. */
  readonly readsFiles?: true
  /**
   * Its API rejects a tool list for one schema, or drops such tools silently: reports of Claude Code
   * (anthropics/claude-code 657, 95504), OpenCode and Kiro (zereight/gitlab-mcp 550).
   */
  readonly isStrict?: true
}

const APPS = {
  // It introduces itself as `claude-ai`, and uses the API of Claude Code.
  'claude-desktop': { names: /^claude/, isStrict: true },
  'claude-code': { names: /^claude-code\b/, readsFiles: true, isStrict: true },
  cursor: { names: /^cursor\b/, readsFiles: true },
  vscode: { names: /^visual[ -]studio[ -]code\b/, readsFiles: true },
  'vscode-insiders': { readsFiles: true },
  windsurf: { names: /^windsurf\b/, readsFiles: true },
  devin: { names: /^devin\b/, readsFiles: true },
  continue: { names: /^continue\b/, readsFiles: true },
  zed: { names: /^zed\b/, readsFiles: true },
  cline: { names: /^cline\b/, readsFiles: true },
  'roo-code': { names: /^roo[ -]code\b/, readsFiles: true },
  'lm-studio': {},
  'gemini-cli': { names: /^gemini-cli\b/, readsFiles: true },
  antigravity: { names: /^antigravity\b/, readsFiles: true },
  codex: { names: /^codex\b/, readsFiles: true },
  goose: { names: /^goose\b/, readsFiles: true },
  junie: { names: /^junie\b/, readsFiles: true },
  opencode: { names: /^opencode/, readsFiles: true, isStrict: true },
  kiro: { names: /^kiro/, readsFiles: true, isStrict: true },
  copilot: {
    names: /^github-copilot\b|copilot-(?:intellij|xcode)$|^copilot\b/,
    readsFiles: true,
  },
  'qwen-code': { names: /^qwen-(?:code|cli)\b/, readsFiles: true },
  'kilo-code': { names: /^kilo[ -]?code\b/, readsFiles: true },
  amp: { names: /^amp\b|^ampcode\b/, readsFiles: true },
  crush: { names: /^crush\b/, readsFiles: true },
  factory: { names: /^factory-cli\b/, readsFiles: true },
  'q-developer': { names: /^q[ -]dev[ -]cli\b/, readsFiles: true },
} as const satisfies Readonly<Record<keyof typeof APP_LABELS, KnownApp>>

const known: readonly KnownApp[] = Object.values(APPS)

/** Id and label of an app. */
export const appNamed = (id: keyof typeof APPS): { readonly id: string; readonly label: string } => ({
  id,
  label: APP_LABELS[id],
})

/** Clients name themselves. */
const MOST_REMEMBERED = 500

/** Every call asks, and a client's name doesn't change. */
function rememberByName<Answer>(find: (name: string) => Answer): (clientName: string) => Answer {
  const known = new Map<string, { readonly answer: Answer }>()
  return (clientName) => {
    const found = known.get(clientName)
    if (found) return found.answer
    if (known.size >= MOST_REMEMBERED) known.clear()
    const answer = find(clientName.toLowerCase())
    known.set(clientName, { answer })
    return answer
  }
}

/** Its id, by the name with which a client introduces itself, or by the id itself. */
export const appOf = rememberByName((name): string | undefined => {
  if (Object.hasOwn(APPS, name)) return name
  const fitting = Object.entries<KnownApp>(APPS).flatMap(([id, { names }]) => {
    const length = names?.exec(name)?.[0].length
    return length === undefined ? [] : [{ id, length }]
  })
  return fitting.toSorted((a, b) => b.length - a.length)[0]?.id
})

/** Of an unknown app nothing is supposed. */
const isKnownFor = (fact: 'readsFiles' | 'isStrict') =>
  rememberByName((name) => known.some((app) => app[fact] === true && app.names?.test(name) === true))

const readsFiles = isKnownFor('readsFiles')
const isStrict = isKnownFor('isStrict')

export type PathInHeader = ResultsSettings['pathInHeader']

/** Whether the header line for this client names a file with the original. */
export const namesFile = (setting: PathInHeader, clientName: string): boolean =>
  setting === 'always' || (setting === 'auto' && readsFiles(clientName))

/** Whether this client gets plain schemas, and may call by plain names. */
export const takesPlainSchemas = ({ toolList }: Pick<ToolPolicy, 'toolList'>, clientName: string): boolean =>
  toolList.schemas === 'plain' || (toolList.schemas === 'auto' && isStrict(clientName))
