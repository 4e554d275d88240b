/** A stand-in that an app replaces before it starts a server. */
export interface PlaceholderRule {
  /** Global; group 1 is the variable's name where `isVariable`. */
  readonly pattern: RegExp
  /** It names an environment variable, which Sluice can put in as well; otherwise only the app knows the value. */
  readonly isVariable: boolean
  /** Only in addresses and headers. */
  readonly remoteOnly?: true
}

/** `${env:NAME}` is Sluice's own spelling. */
const envColon: PlaceholderRule = { pattern: /\$\{env:([^}]+)\}/g, isVariable: true }
const otherBraces: PlaceholderRule = { pattern: /\$\{(?!env:)[^}]*\}/g, isVariable: false }

/** VS Code and its relatives: `${input:token}`, `${workspaceFolder}`, `${userHome}`, `${env:NAME}`. */
export const VSCODE_PLACEHOLDERS: readonly PlaceholderRule[] = [envColon, otherBraces]
/** Claude Code: `${NAME}`, and `${NAME:-default}`, for which Sluice has no word. */
export const CLAUDE_CODE_PLACEHOLDERS: readonly PlaceholderRule[] = [
  { pattern: /\$\{([A-Za-z_]\w*)\}/g, isVariable: true },
  { pattern: /\$\{[A-Za-z_]\w*:-[^}]*\}/g, isVariable: false },
]
/** Gemini CLI: `$NAME` and `${NAME}`; a name that is not set stays as it is, so it is left to the app. */
export const GEMINI_PLACEHOLDERS: readonly PlaceholderRule[] = [
  { pattern: /\$\{[A-Za-z_][^}]*\}|\$[A-Za-z_]\w*/g, isVariable: false },
]
/** Continue: `${{ secrets.NAME }}`. */
export const CONTINUE_PLACEHOLDERS: readonly PlaceholderRule[] = [
  { pattern: /\$\{\{[^}]*\}\}/g, isVariable: false },
]
/** OpenCode: `{env:NAME}` and `{file:path}`. */
export const OPENCODE_PLACEHOLDERS: readonly PlaceholderRule[] = [
  { pattern: /\{env:([^}]+)\}/g, isVariable: true },
  { pattern: /\{file:[^}]+\}/g, isVariable: false },
]
/** Goose, in addresses and headers: `$NAME` and `${NAME}` from its `envs` and its keyring. */
export const GOOSE_PLACEHOLDERS: readonly PlaceholderRule[] = [
  { pattern: /\$\{?([A-Za-z_]\w*)\}?/g, isVariable: true, remoteOnly: true },
]

/** The text with variables in Sluice's spelling; undefined when only the app can put the values in. */
export function translatePlaceholders(text: string, rules: readonly PlaceholderRule[]): string | undefined {
  if (rules.some(({ pattern, isVariable }) => !isVariable && text.search(pattern) !== -1)) return undefined
  return rules.reduce(
    (rest, { pattern }) => rest.replaceAll(pattern, (_, name: string) => `\${env:${name}}`),
    text,
  )
}
