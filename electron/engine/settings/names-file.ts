import type { ResultsSettings } from '../../../shared/results-settings.ts'

/**
 * Self-reported names of AI apps whose agents read files of this machine or have a shell. Chat apps (`claude-ai`,
 * which is Claude's desktop app, ChatGPT, LibreChat) have neither; unknown apps count as such.
 */
const READ_FILES: readonly RegExp[] = [
  /^claude-code\b/,
  /^cursor\b/,
  /^visual[ -]studio[ -]code\b/,
  /^github-copilot\b|copilot-(?:intellij|xcode)$|^copilot\b/,
  /^codex\b/,
  /^gemini-cli\b/,
  /^qwen-(?:code|cli)\b/,
  /^windsurf\b/,
  /^devin\b/,
  /^cline\b/,
  /^roo[ -]code\b/,
  /^kilo[ -]?code\b/,
  /^zed\b/,
  /^continue\b/,
  /^antigravity\b/,
  /^opencode\b/,
  /^goose\b/,
  /^junie\b/,
  /^kiro\b/,
  /^amp\b|^ampcode\b/,
  /^crush\b/,
  /^factory-cli\b/,
  /^q[ -]dev[ -]cli\b/,
]

const readsFiles = (clientName: string): boolean => {
  const name = clientName.toLowerCase()
  return READ_FILES.some((pattern) => pattern.test(name))
}

export type PathInHeader = ResultsSettings['pathInHeader']

export const namesFile = (setting: PathInHeader, clientName: string): boolean =>
  setting === 'always' || (setting === 'auto' && readsFiles(clientName))
