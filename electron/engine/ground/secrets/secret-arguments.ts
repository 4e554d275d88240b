import { isLaunchVariable } from './launch-variables.ts'

/**
 * The one rule for blanking launch arguments, pinned and shown: the name marks a secret, the value is one word, and
 * nothing that runs (code, program, file) is blanked.
 */

export const HIDDEN = '…'

export interface SecretPart {
  readonly start: number
  readonly end: number
  /** May decide what starts: a program after a flag without value, part of its address. */
  readonly mayBeWord: boolean
}

const SECRET_NAME =
  /(?:key|token|secret|passw(?:or)?d|passphrase|pwd|credentials?|cookie|authorization)$|(?:^|[-_.])(?:auth|pat|dsn|pass|pw|creds)$/i
const SECRET_ENDING = /[a-z\d](?:Pass|Pw|Creds)$/
/** `--no-auth`, `--require-token`: without value; a program may follow. */
const SWITCH =
  /^(?:no|not|disable|enable|skip|without|with|require|use|allow|deny|pass|forward|keep|save|print|show|ask|is|has)[-_]/i
/** Narrower than for display: -p names a package as often as a password. */
export const namesSecret = (name: string): boolean =>
  (SECRET_NAME.test(name) || SECRET_ENDING.test(name)) && !isLaunchVariable(name)

/** `--no-auth` names no secret, despite its ending. */
export const isSwitch = (flag: string): boolean => SWITCH.test(flag.replace(/^--?/, ''))

const FILE = /^(?:[.~]{0,2}[/\\]|[A-Za-z]:[/\\]|file:)|\.[A-Za-z]{2,5}$/
const PLACEHOLDER = /^(?:\w+ )?\$\{(?:env|secret):[^}]*\}/
/** One shell word: the rest may be a command. */
const ONE_VALUE = /^[^\s;&|<>()$`"'\\^%]+/
/** `Authorization: Bearer …` */
const SCHEME = /^(?:Bearer|Basic|Token|Digest|ApiKey|Key)[ \t]+(?=[^\s;&|<>()$`"'\\^%])/i
const ADDRESS = /^([a-z][\w+.-]*:\/\/)(?:([^/?#\s]*)@)?([^?\s]*)(\?[^#\s]*)?(#\S*)?/i

const MACHINE_MADE = /^(?=.*\d)(?=.*[A-Za-z])[\w.~+=-]{20,}$/
const KNOWN_PREFIX = /^(?:sk-|ghp_|gho_|github_pat_|glpat-|xox[abp]-|AKIA|AIza)/
const LIKE_A_NAME = /^[a-z][a-z\d]*(?:[-._][a-z\d]+)+$/
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Long with mixed letters and digits, or an issuer's prefix. */
export const looksLikeKey = (text: string): boolean =>
  (!text.includes('/') && KNOWN_PREFIX.test(text)) ||
  UUID.test(text) ||
  (MACHINE_MADE.test(text) && !LIKE_A_NAME.test(text))

const programOf = (word: string): string =>
  (word.split(/[\\/]/).at(-1) ?? '')
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat)$/, '')
    .replace(/[\d.]+$/, '')
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
/** First word: file or code. */
const INTERPRETERS = words(
  'sh bash zsh dash ksh mksh fish ash csh tcsh busybox cmd powershell pwsh node nodejs bun deno tsx ts-node python pythonw pypy perl ruby php lua luajit osascript wscript cscript java dotnet rscript julia elixir erl tclsh guile make just expect awk gawk',
)
/** First word: program, package or image. */
const WRAPPERS = words(
  'env sudo doas nice ionice nohup timeout time xargs command exec stdbuf setsid su runuser chroot unshare firejail bwrap script npx npm pnpm pnpx yarn bunx uvx uv pipx pipenv poetry hatch rye docker podman nerdctl finch container ssh wsl concurrently cross-env dotenv mise asdf volta nvm direnv nix nix-shell conda micromamba flatpak snap systemd-run start watch entr parallel find',
)
const CONTAINERS = words('docker podman nerdctl finch container')
/** Options without value: the first word follows. */
const WITHOUT_VALUE =
  /^(?:-[yqsituBEIdS]|-it|-ti|--yes|--quiet|--silent|--rm|--init|--interactive|--tty|--isolated|--offline|--no-install|--bun|--)$/
/** Code follows. Shells combine letters: `-lc`. */
const CODE_FLAG =
  /^(?:-[A-Za-z]*[ce]|--?(?:eval|command|call|execute|exec|print|encodedcommand|enc|code|script|split-string)|\/[ckCK])$/i
/** For interpreters: `node -p`, `php -r`. */
const CODE_OF_INTERPRETER = /^-[A-Za-z]*[pPrB]$/
/** `-e NAME=value` of programs that start others. */
const ONE_VARIABLE = /^[A-Za-z_]\w*=[^\s;&|<>()$`"'\\^%]*$/
/** A program follows: `cmd /c PROGRAM ARGUMENTS`, `-Command PROGRAM …`. */
const STARTS_PROGRAM = /^(?:\/[ck]|-c(?:ommand)?|--command)$/i

type State = 'interpreter' | 'wrapper' | 'running'
const stateAt = (word: string): State =>
  INTERPRETERS.has(programOf(word)) ? 'interpreter' : WRAPPERS.has(programOf(word)) ? 'wrapper' : 'running'

export interface ArgumentPlace {
  readonly arg: string
  readonly before: string
  /** Or a program to start. */
  readonly isCode: boolean
  readonly state: State
}

export function placesOfArguments(args: readonly unknown[], command = ''): (ArgumentPlace | undefined)[] {
  let state = stateAt(command)
  let isContainer = CONTAINERS.has(programOf(command))
  let before = ''
  return args.map((arg) => {
    if (typeof arg !== 'string') {
      before = ''
      return undefined
    }
    isContainer ||= CONTAINERS.has(programOf(arg))
    const isVariable = before === '-e' && (isContainer || (state === 'running' && ONE_VARIABLE.test(arg)))
    const isCode =
      (!isVariable && CODE_FLAG.test(before)) || (state === 'interpreter' && CODE_OF_INTERPRETER.test(before))
    const place: ArgumentPlace = { arg, before, isCode, state }
    if (isCode) state = STARTS_PROGRAM.test(before) ? stateAt(arg) : state
    else if (!arg.startsWith('-') && stateAt(arg) !== 'running' && !arg.includes('=')) state = stateAt(arg)
    else if (state !== 'running' && !SUBCOMMAND.test(arg) && isFirstWord(arg, before)) state = 'running'
    before = arg
    return place
  })
}

/** `-e NAME=value`, `--env=NAME=value` before the image, where Docker also takes the name alone. */
export const containerVariables = (
  args: readonly unknown[],
  command: string,
): ({ readonly before: string; readonly name: string; readonly value: string } | undefined)[] =>
  CONTAINERS.has(programOf(command))
    ? placesOfArguments(args, command).map((place) => {
        if (!place || place.state === 'running') return undefined
        const text = /^(?:-e|--env)$/.test(place.before) ? `=${place.arg}` : place.arg
        const [, before, name, value] = /^(--env=|=)([A-Za-z_]\w*)=([^]+)$/.exec(text) ?? []
        if (before === undefined || name === undefined || value === undefined) return undefined
        return { before: before === '=' ? '' : before, name, value }
      })
    : []

/** `deno run FILE`, `pnpm dlx ADDRESS`, `uv tool run PACKAGE`: the program follows. */
const SUBCOMMAND = /^(?:run|x|exec|dlx|tool)$/

/** Certainly not the preceding option's value. */
const isFirstWord = (arg: string, before: string): boolean =>
  !/^-|^\/\w{1,2}$/.test(arg) &&
  !/^[\w.-]+=/.test(arg) &&
  (!before.startsWith('-') || before === '-m' || before.includes('=') || WITHOUT_VALUE.test(before))

/** Before the program is known, addresses are its own or its package's. */
export const isProgramAddress = (state: State, arg: string): boolean =>
  state !== 'running' && ADDRESS.test(arg)

export function secretsInArguments(
  args: readonly unknown[],
  command?: string,
  isSecret: (name: string) => boolean = namesSecret,
): (readonly SecretPart[])[] {
  return placesOfArguments(args, command).map((place) => (place ? secretsAt(place, isSecret) : []))
}

function secretsAt(
  { arg, before, isCode, state }: ArgumentPlace,
  isSecret: (name: string) => boolean,
): readonly SecretPart[] {
  if (isCode) return []
  const flag = /^--?([\w.-]+)$/.exec(before)?.[1]
  if (
    flag !== undefined &&
    state === 'running' &&
    !arg.startsWith('-') &&
    !SWITCH.test(flag) &&
    isSecret(flag)
  )
    return valueAt(arg, 0).map((part) => ({
      ...part,
      mayBeWord: !looksLikeKey(arg.slice(part.start, part.end)),
    }))
  if (state !== 'running' && /^-\w/.test(arg)) return []
  // The query of a program's or package's address decides what is fetched.
  if (state !== 'running') {
    const from = /^--[\w-]+=/.exec(arg)?.[0].length ?? 0
    if (isProgramAddress(state, arg.slice(from)))
      return secretsOfAddress(arg, from).map((part) => ({ ...part, mayBeWord: true }))
  }
  if (state === 'interpreter' && !arg.startsWith('--')) return []
  return secretsInText(arg, 0, isSecret)
}

/** `--api-key=…`, `API_KEY=…`, `--env=API_KEY=…`, `Authorization: …`, an address. */
function secretsInText(
  text: string,
  from: number,
  isSecret: (name: string) => boolean,
): readonly SecretPart[] {
  const [whole, name = ''] = /^-{0,2}([\w.-]+)(?:=|:\s+)/.exec(text.slice(from)) ?? []
  if (whole === undefined) return secretsOfAddress(text, from, isSecret)
  if (CODE_FLAG.test(`--${name}`)) return []
  const start = from + whole.length
  return isSecret(name) && !SWITCH.test(name) ? valueAt(text, start) : secretsInText(text, start, isSecret)
}

function valueAt(text: string, from: number): SecretPart[] {
  const rest = text.slice(from)
  if (PLACEHOLDER.test(rest)) return []
  const scheme = SCHEME.exec(rest)?.[0] ?? ''
  const value = ONE_VALUE.exec(rest.slice(scheme.length))?.[0] ?? ''
  if (value === '' || FILE.test(value) || FILE.test(rest)) return []
  return [{ start: from, end: from + scheme.length + value.length, mayBeWord: false }]
}

/** Password, and secrets in the query. */
export function secretsOfAddress(
  text: string,
  from: number,
  isSecret: (name: string) => boolean = namesSecret,
): SecretPart[] {
  const found = ADDRESS.exec(text.slice(from))
  if (!found || hasUnclearHost(found[0])) return []
  const [, scheme = '', user, place = '', query = ''] = found
  const parts: SecretPart[] = []
  const add = (start: number, value: string): void => {
    const one = ONE_VALUE.exec(value)?.[0] ?? ''
    if (one !== '' && !PLACEHOLDER.test(value))
      parts.push({ start, end: start + one.length, mayBeWord: false })
  }
  const atUser = from + scheme.length
  if (user !== undefined) {
    const colon = user.indexOf(':')
    if (colon === -1) add(atUser, user)
    else add(atUser + colon + 1, user.slice(colon + 1))
  }
  const atQuery = atUser + (user === undefined ? 0 : user.length + 1) + place.length
  for (const { index, 1: key = '', 2: value = '' } of query.matchAll(/[?&]([^=&]*)=([^&]*)/g))
    if (isSecret(key)) add(atQuery + index + key.length + 2, value)
  return parts
}

const AUTHORITY = /^(?:git\+)?([a-z][\w+.-]*:\/\/)([^/?#]*)/i
const PLAIN_SCHEME = /^(?:https?|wss?|ftp):/i

/** If a program may connect to another host than the one after the `@`, nothing before it is blanked. */
export function hasUnclearHost(address: string): boolean {
  const [, scheme = '', authority = ''] = AUTHORITY.exec(address) ?? []
  if (!authority.includes('@')) return false
  if (/[\\\s]/.test(authority)) return true
  if (!PLAIN_SCHEME.test(scheme)) return false
  const read = URL.parse(`${scheme}${authority}`)
  const bare = URL.parse(scheme + authority.slice(authority.lastIndexOf('@') + 1))
  return read === null || read.host !== bare?.host
}

export function replaceParts(
  text: string,
  parts: readonly SecretPart[],
  instead: (part: SecretPart, value: string) => string = () => HIDDEN,
): string {
  let shown = ''
  let from = 0
  for (const part of parts) {
    shown += text.slice(from, part.start) + instead(part, text.slice(part.start, part.end))
    from = part.end
  }
  return shown + text.slice(from)
}
