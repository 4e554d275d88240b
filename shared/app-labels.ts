import { SCREENS_CLIENT } from './screens-client.ts'

/** AI apps by id, as their makers write them. */
export const APP_LABELS = {
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  'vscode-insiders': 'VS Code Insiders',
  windsurf: 'Windsurf',
  devin: 'Devin Desktop',
  continue: 'Continue',
  zed: 'Zed',
  cline: 'Cline',
  'roo-code': 'Roo Code',
  'lm-studio': 'LM Studio',
  'gemini-cli': 'Gemini CLI',
  antigravity: 'Antigravity',
  codex: 'Codex',
  goose: 'Goose',
  junie: 'Junie',
  opencode: 'OpenCode',
  kiro: 'Kiro',
  copilot: 'GitHub Copilot',
  'qwen-code': 'Qwen Code',
  'kilo-code': 'Kilo Code',
  amp: 'Amp',
  crush: 'Crush',
  factory: 'Factory',
  'q-developer': 'Amazon Q Developer',
} as const

/** A client's name in the ledger is an app's id, or what the client calls itself. */
export function clientLabel(client: string): string {
  if (client === SCREENS_CLIENT) return 'Sluice’s screens'
  const known: Readonly<Record<string, string>> = APP_LABELS
  return Object.hasOwn(known, client) ? (known[client] ?? client) : client
}
