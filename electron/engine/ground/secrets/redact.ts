import { KnownSecrets, SHORTEST_KNOWN } from './known-secrets.ts'

/** Blanking shorter values ("1", "true", "debug") would garble every line. */
const SHORTEST_SECRET = 6
const LONGEST_TEXT = 4000
const DEEPEST = 6

const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi
/** Password and query, often keys. */
const URL_SECRETS =
  /\b([a-z][a-z\d+.-]*:\/\/)(?:[^\s/?#@"'<>]*@)?([^\s?#"'<>]*)(\?(?:\[redacted\]|[^\s#"'<>)\]])*)?/gi
/** With signed tokens. */
const KNOWN_KEYS =
  /\b(?:gh[oprsu]_[a-z\d]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|npm_[a-z\d]{30,}|sk-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|AKIA[A-Z\d]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/gi
/** `token=…`, `"api_key": "…"`. */
const NAMED_VALUE =
  /\b((?:[a-z]+[-_])*(?:token|api[-_]?key|password|passwd|passphrase|secret)|(?:[a-z]+[-_])+pass)(["']?\s*[=:]\s*["']?)(?!\[redacted)[^\s"',;&]{8,}/gi

/** Anywhere in a name: APIKEY, PGPASSWORD. */
const ANYWHERE = /key|token|secret|passw|passphrase|pwd|auth|credential|cookie|session|dsn/i
/** Whole parts only: not "bypass", "compass" or "path". */
const PARTS = new Set(['pass', 'pw', 'pat', 'creds'])

/** `dbPass`, `DB_PASS2`, `db-pass`, `db.pass`. */
const partsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)

/** Variables, headers, flags and fields. */
export const isSecretName = (name: string): boolean =>
  ANYWHERE.test(name) || partsOf(name).some((part) => PARTS.has(part))

/** In the log "session" and "key" don't mean a secret. */
export const isSecretField = (name: string): boolean =>
  SECRET_FIELD.test(name) || partsOf(name).some((part) => PARTS.has(part))

const SECRET_FIELD =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|token|secret)$|api[-_]?key$|passw(?:or)?d$|passphrase$|[-_](?:token|secret|pwd)$|[a-z](?:Token|Secret|Pwd)$/i

/** `--api-key VALUE` in text, `"--api-key", "VALUE"` in JSON. */
const FLAG_AND_VALUE = /(?<![\w-])(--?([a-z][\w.-]*))(["']?(?:\s*,\s*|\s+)["']?)(?![-[])([^\s"',;&\]]{6,})/gi
/** More words follow a flag in text than in arguments: only the plainest names count. */
const isSecretInText = (flag: string): boolean =>
  isSecretField(flag) || /(?:^|[-_])(?:key|credentials?)$/i.test(flag)

/** Numbers, ports, versions; paths, files, addresses, packages with scope or version. */
const NO_PASSWORD = /^[\d.:,-]+$|[/\\@]|\.[a-z]\w{0,4}$|^\$\{/i
/** `-p` names a package or project. */
const PACKAGE_RUNNER =
  /(?:^|[\\/])(?:npx|npm|pnpx|pnpm|yarn|bunx|bun|uvx|uv|pipx|deno|docker|podman)(?:\.(?:cmd|exe))?$/i

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
  /** Also for later text. */
  hideBy(hide: (text: string) => string): void
  /** For JSON, bounded. */
  clean<T extends Readonly<Record<string, unknown>>>(value: T): T
}

/** Known values anywhere, also encoded or cut; bearer tokens; fields with a secret's name. */
export function createRedactor(): Redactor {
  const known = new KnownSecrets()
  // Too short to search in other forms. Longest first, so that none is partly left.
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
    clean: (value) => cleanValue(value, 0) as typeof value,
  }
}

/** Without known values. */
export const cleanPlain = (text: string): string => createRedactor().clean({ text }).text
