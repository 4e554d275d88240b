export interface PlaceholderRule {
  /** Global; group 1 is the variable's name if `isVariable`. */
  readonly pattern: RegExp
  /** An environment variable, which Sluice can resolve, too; otherwise only the app has the value. */
  readonly isVariable: boolean
  /** Addresses and headers. */
  readonly remoteOnly?: true
}

/** Sluice's spelling: `${env:NAME}`. */
const envColon: PlaceholderRule = { pattern: /\$\{env:([^}]+)\}/g, isVariable: true }
const otherBraces: PlaceholderRule = { pattern: /\$\{(?!env:)[^}]*\}/g, isVariable: false }

/** VS Code and its relatives: `${input:token}`, `${workspaceFolder}`, `${userHome}`, `${env:NAME}`. */
export const VSCODE_PLACEHOLDERS: readonly PlaceholderRule[] = [envColon, otherBraces]
/** Claude Code: `${NAME}`, and `${NAME:-default}`, which Sluice can't express. */
export const CLAUDE_CODE_PLACEHOLDERS: readonly PlaceholderRule[] = [
  { pattern: /\$\{([A-Za-z_]\w*)\}/g, isVariable: true },
  { pattern: /\$\{[A-Za-z_]\w*:-[^}]*\}/g, isVariable: false },
]
/** Gemini CLI: `$NAME` and `${NAME}`; unset names stay, so the app resolves them. */
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
/** Goose, in addresses and headers: `$NAME` and `${NAME}` from its `envs` and keyring. */
export const GOOSE_PLACEHOLDERS: readonly PlaceholderRule[] = [
  { pattern: /\$\{?([A-Za-z_]\w*)\}?/g, isVariable: true, remoteOnly: true },
]

/** Variables in Sluice's spelling; undefined if only the app can resolve the values. */
export function translatePlaceholders(text: string, rules: readonly PlaceholderRule[]): string | undefined {
  if (rules.some(({ pattern, isVariable }) => !isVariable && text.search(pattern) !== -1)) return undefined
  return rules.reduce(
    (rest, { pattern }) => rest.replaceAll(pattern, (_, name: string) => `\${env:${name}}`),
    text,
  )
}
