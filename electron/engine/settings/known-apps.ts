import type { ResultsSettings } from '../../../shared/results-settings.ts'
import type { ToolPolicy } from '../../../shared/settings.ts'

/** What is known of an AI app. How its configuration is written: client-configs/clients.ts, under the same id. */
interface KnownApp {
  readonly label: string
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
  'claude-desktop': { label: 'Claude Desktop', names: /^claude/, isStrict: true },
  'claude-code': { label: 'Claude Code', names: /^claude-code\b/, readsFiles: true, isStrict: true },
  cursor: { label: 'Cursor', names: /^cursor\b/, readsFiles: true },
  vscode: { label: 'VS Code', names: /^visual[ -]studio[ -]code\b/, readsFiles: true },
  'vscode-insiders': { label: 'VS Code Insiders', readsFiles: true },
  windsurf: { label: 'Windsurf', names: /^windsurf\b/, readsFiles: true },
  devin: { label: 'Devin Desktop', names: /^devin\b/, readsFiles: true },
  continue: { label: 'Continue', names: /^continue\b/, readsFiles: true },
  zed: { label: 'Zed', names: /^zed\b/, readsFiles: true },
  cline: { label: 'Cline', names: /^cline\b/, readsFiles: true },
  'roo-code': { label: 'Roo Code', names: /^roo[ -]code\b/, readsFiles: true },
  'lm-studio': { label: 'LM Studio' },
  'gemini-cli': { label: 'Gemini CLI', names: /^gemini-cli\b/, readsFiles: true },
  antigravity: { label: 'Antigravity', names: /^antigravity\b/, readsFiles: true },
  codex: { label: 'Codex', names: /^codex\b/, readsFiles: true },
  goose: { label: 'Goose', names: /^goose\b/, readsFiles: true },
  junie: { label: 'Junie', names: /^junie\b/, readsFiles: true },
  opencode: { label: 'OpenCode', names: /^opencode/, readsFiles: true, isStrict: true },
  kiro: { label: 'Kiro', names: /^kiro/, readsFiles: true, isStrict: true },
  copilot: {
    label: 'GitHub Copilot',
    names: /^github-copilot\b|copilot-(?:intellij|xcode)$|^copilot\b/,
    readsFiles: true,
  },
  'qwen-code': { label: 'Qwen Code', names: /^qwen-(?:code|cli)\b/, readsFiles: true },
  'kilo-code': { label: 'Kilo Code', names: /^kilo[ -]?code\b/, readsFiles: true },
  amp: { label: 'Amp', names: /^amp\b|^ampcode\b/, readsFiles: true },
  crush: { label: 'Crush', names: /^crush\b/, readsFiles: true },
  factory: { label: 'Factory', names: /^factory-cli\b/, readsFiles: true },
  'q-developer': { label: 'Amazon Q Developer', names: /^q[ -]dev[ -]cli\b/, readsFiles: true },
} as const satisfies Readonly<Record<string, KnownApp>>

const known: readonly KnownApp[] = Object.values(APPS)

/** Id and label of an app. */
export const appNamed = (id: keyof typeof APPS): { readonly id: string; readonly label: string } => ({
  id,
  label: APPS[id].label,
})

/** Its id, by the name with which a client introduces itself, or by the id itself. */
export function appOf(clientName: string): string | undefined {
  const name = clientName.toLowerCase()
  if (Object.hasOwn(APPS, name)) return name
  const fitting = Object.entries<KnownApp>(APPS).flatMap(([id, { names }]) => {
    const length = names?.exec(name)?.[0].length
    return length === undefined ? [] : [{ id, length }]
  })
  return fitting.toSorted((a, b) => b.length - a.length)[0]?.id
}

/** Of an unknown app nothing is supposed. */
const isKnown = (clientName: string, fact: 'readsFiles' | 'isStrict'): boolean => {
  const name = clientName.toLowerCase()
  return known.some((app) => app[fact] && app.names?.test(name))
}

export type PathInHeader = ResultsSettings['pathInHeader']

/** Whether the header line for this client names a file with the original. */
export const namesFile = (setting: PathInHeader, clientName: string): boolean =>
  setting === 'always' || (setting === 'auto' && isKnown(clientName, 'readsFiles'))

/** Whether this client gets plain schemas, and may call by plain names. */
export const takesPlainSchemas = ({ toolList }: Pick<ToolPolicy, 'toolList'>, clientName: string): boolean =>
  toolList.schemas === 'plain' || (toolList.schemas === 'auto' && isKnown(clientName, 'isStrict'))
