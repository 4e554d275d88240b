import { KnownSecrets, SHORTEST_KNOWN } from './known-secrets.ts'

/** Shorter values ("1", "true", "debug") are no secrets, and blanking them out would make every line unreadable. */
const SHORTEST_SECRET = 6
const LONGEST_TEXT = 4000
const DEEPEST = 6

const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi
/** Passwords and what follows the question mark of an address: keys are often put there. */
const URL_SECRETS =
  /\b([a-z][a-z\d+.-]*:\/\/)(?:[^\s/?#@"'<>]*@)?([^\s?#"'<>]*)(\?(?:\[redacted\]|[^\s#"'<>)\]])*)?/gi
/** What issuers let their keys begin with, and signed tokens. */
const KNOWN_KEYS =
  /\b(?:gh[oprsu]_[a-z\d]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|npm_[a-z\d]{30,}|sk-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|AKIA[A-Z\d]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/gi
/** `token=…`, `"api_key": "…"` in a text. */
const NAMED_VALUE =
  /\b((?:[a-z]+[-_])*(?:token|api[-_]?key|password|passwd|passphrase|secret)|(?:[a-z]+[-_])+pass)(["']?\s*[=:]\s*["']?)(?!\[redacted)[^\s"',;&]{8,}/gi

/** Words inside a name that mean a secret wherever they stand, as in APIKEY or PGPASSWORD. */
const ANYWHERE = /key|token|secret|passw|passphrase|pwd|auth|credential|cookie|session|dsn/i
/** Short words, which mean one only as a whole part of a name: not those of "bypass", "compass" or "path". */
const PARTS = new Set(['pass', 'pw', 'pat', 'creds'])

/** The parts of `dbPass`, `DB_PASS2`, `db-pass`, `db.pass`. */
const partsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)

/** Whether a variable, header, flag or field is called what secrets are called. */
export const isSecretName = (name: string): boolean =>
  ANYWHERE.test(name) || partsOf(name).some((part) => PARTS.has(part))

/** The same for fields of the log, where "session" and "key" name what happened and no secret. */
export const isSecretField = (name: string): boolean =>
  SECRET_FIELD.test(name) || partsOf(name).some((part) => PARTS.has(part))

const SECRET_FIELD =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|token|secret)$|api[-_]?key$|passw(?:or)?d$|passphrase$|[-_](?:token|secret|pwd)$|[a-z](?:Token|Secret|Pwd)$/i

/** `--api-key VALUE` in a text, `"--api-key", "VALUE"` in one of JSON. */
const FLAG_AND_VALUE = /(?<![\w-])(--?([a-z][\w.-]*))(["']?(?:\s*,\s*|\s+)["']?)(?![-[])([^\s"',;&\]]{6,})/gi
/** In a text more words follow a flag than in a list of arguments: only the plainest names count. */
const isSecretInText = (flag: string): boolean =>
  isSecretField(flag) || /(?:^|[-_])(?:key|credentials?)$/i.test(flag)

/** By its form no password: numbers, ports, versions; paths, files, addresses, packages with a scope or version. */
const NO_PASSWORD = /^[\d.:,-]+$|[/\\@]|\.[a-z]\w{0,4}$|^\$\{/i
/** Where `-p` names a package or a project. */
const PACKAGE_RUNNER =
  /(?:^|[\\/])(?:npx|npm|pnpx|pnpm|yarn|bunx|bun|uvx|uv|pipx|deno|docker|podman)(?:\.(?:cmd|exe))?$/i

/** Which of a command's arguments are, as a whole, the secret that the flag before them names. */
export function areSecrets(args: readonly unknown[], command = ''): boolean[] {
  const isRunner = PACKAGE_RUNNER.test(command) || args.includes('-y') || args.includes('--yes')
  return args.map((arg, index) => {
    const before = args[index - 1]
    if (typeof arg !== 'string' || typeof before !== 'string' || arg.startsWith('-')) return false
    if (before === '-p') return !isRunner && !NO_PASSWORD.test(arg)
    return /^--?[\w.-]+$/.test(before) && isSecretName(before)
  })
}

export interface Redactor {
  add(values: Iterable<string>): void
  /** Every text goes through `hide` as well from now on. */
  hideBy(hide: (text: string) => string): void
  /** A copy that can be turned into JSON, without the secrets, and of bounded size. */
  clean<T extends Readonly<Record<string, unknown>>>(value: T): T
}

/**
 * Keeps secrets out of logs: known values wherever they stand, encoded or cut too, bearer tokens, and fields whose name says
 * it.
 */
export function createRedactor(): Redactor {
  const known = new KnownSecrets()
  // Too short to be looked for in other forms. Longest first, so that none is left half standing.
  let short: string[] = []
  let hide = (text: string): string => text

  const cleanText = (text: string): string => {
    const without = known.clean(hide(text), '[redacted]')
    const bare = short
      .reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), without)
      .replaceAll(BEARER, '$1 [redacted]')
      .replaceAll(KNOWN_KEYS, '[redacted]')
      .replaceAll(NAMED_VALUE, '$1$2[redacted]')
      .replaceAll(FLAG_AND_VALUE, (all, flag: string, name: string, between: string) =>
        isSecretInText(name) ? `${flag}${between}[redacted]` : all,
      )
      .replaceAll(
        URL_SECRETS,
        (_, scheme: string, address: string, query: string | undefined) =>
          `${scheme}${address}${query === undefined || query === '?' ? (query ?? '') : '?[redacted]'}`,
      )
    return bare.length > LONGEST_TEXT ? `${bare.slice(0, LONGEST_TEXT)}… (${bare.length} characters)` : bare
  }

  const cleanValue = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return cleanText(value)
    if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') {
      return cleanText(String(value))
    }
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Error) return cleanError(value, depth)
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
    if (depth >= DEEPEST) return Array.isArray(value) ? '[…]' : '{…}'
    if (Array.isArray(value)) {
      const hidden = areSecrets(value)
      return value.map((item, index) => (hidden[index] ? '[redacted]' : cleanValue(item, depth + 1)))
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        isSecretField(key) && typeof item === 'string' ? '[redacted]' : cleanValue(item, depth + 1),
      ]),
    )
  }

  const cleanError = (error: Error, depth: number): unknown => ({
    name: error.name,
    message: cleanText(error.message),
    ...('code' in error ? { code: cleanValue(error.code, depth + 1) } : {}),
    ...(error.stack === undefined ? {} : { stack: cleanText(error.stack) }),
    ...(error.cause === undefined || depth >= DEEPEST ? {} : { cause: cleanValue(error.cause, depth + 1) }),
  })

  return {
    add: (values) => {
      const all = new Set(short)
      for (const value of values) {
        const secret = value.trim()
        if (secret.length < SHORTEST_SECRET) continue
        if (secret.length < SHORTEST_KNOWN) all.add(secret)
        else known.add([secret])
      }
      short = [...all].sort((a, b) => b.length - a.length)
    },
    hideBy: (next) => {
      hide = next
    },
    // The shape stays: only strings are replaced, and what JSON has no word for.
    clean: (value) => cleanValue(value, 0) as typeof value,
  }
}

/** A text without what shows by itself to be a secret: for who has no log, and knows no secrets by their value. */
export const cleanPlain = (text: string): string => createRedactor().clean({ text }).text
