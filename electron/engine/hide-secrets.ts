import type { Launch } from './client-configs/entries/read-entry.ts'
import { areSecrets, isSecretName } from './redact.ts'

/** What stands in the place of a value that is not shown. */
export const HIDDEN = '…'

/** Long, of letters and digits mixed: made by a machine. */
const MACHINE_MADE = /^(?=.*\d)(?=.*[A-Za-z])[\w.~+=-]{20,}$/
const KNOWN_PREFIX = /^(?:sk-|ghp_|gho_|github_pat_|glpat-|xox[abp]-|AKIA|AIza)/

const isSecretValue = (text: string): boolean =>
  !text.includes('/') && (MACHINE_MADE.test(text) || KNOWN_PREFIX.test(text))

/** Arguments of a command line without the secrets that people put there. */
export function hideInArgs(args: readonly string[], command?: string): string[] {
  const hidden = areSecrets(args, command)
  return args.map((arg, index) => (hidden[index] ? HIDDEN : hideInArg(arg, args[index - 1] ?? '')))
}

function hideInArg(arg: string, before: string): string {
  const isEnvFlag = /^(?:-e|--env)$/.test(before)
  const assigned = /^(-{0,2}[\w.-]+)=([^]*)$/.exec(arg)
  if (assigned) {
    const [, name = '', value = ''] = assigned
    if (isEnvFlag || isSecretName(name) || isSecretValue(value)) return `${name}=${HIDDEN}`
    return `${name}=${hideInUrl(value)}`
  }
  const header = /^([\w-]+):\s*\S/.exec(arg)
  if (
    header &&
    !/^[a-z][\w+.-]*:\/\//i.test(arg) &&
    (/^(?:-H|--headers?)$/.test(before) || isSecretName(arg))
  ) {
    return `${header[1]}: ${HIDDEN}`
  }
  return isSecretValue(arg) ? HIDDEN : hideInUrl(arg)
}

const ADDRESS = /^[a-z][\w+.-]*:\/\//i
/** What is longer is no address; looking through it would only take time. */
const LONGEST_ADDRESS = 4000

/** An address without password and without what its query says; other texts as they are. */
export function hideInUrl(text: string): string {
  if (text.length > LONGEST_ADDRESS || !ADDRESS.test(text)) return text
  const [address = '', ...query] = text.split('?')
  const bare = address.replace(/^([a-z][\w+.-]*:\/\/)[^/#@\s]*@/i, `$1${HIDDEN}@`)
  return [bare, ...query.map((part) => part.replaceAll(/([^=&#\s]+)=[^&#\s]*/g, `$1=${HIDDEN}`))].join('?')
}

/** How a server is started or reached, for people: of variables and headers only the names. */
export interface LaunchSummary {
  readonly command?: string
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly url?: string
  readonly env: readonly string[]
  readonly headers: readonly string[]
}

export const summariseLaunch = ({ command, args, cwd, url, env, headers }: Launch): LaunchSummary => ({
  ...(command === undefined ? {} : { command, args: hideInArgs(args ?? [], command) }),
  ...(cwd === undefined ? {} : { cwd }),
  ...(url === undefined ? {} : { url: hideInUrl(url) }),
  env: Object.keys(env ?? {}),
  headers: Object.keys(headers ?? {}),
})

/** Leftovers in comments and in parts of a file that are no server's: `"token": "…"`, bearer tokens, long random words. */
export const hideInLine = (line: string): string =>
  line
    .replaceAll(/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${HIDDEN}`)
    .replaceAll(
      /((?:[\w-]*(?:key|token|secret|passw(?:or)?d|credential)[\w-]*)["']?\s*[:=]\s*["']?)(?!["'\s{[…])[^"',\s}]+/gi,
      `$1${HIDDEN}`,
    )
    .replaceAll(/(?<=["'=\s])[\w.~+-]{20,}(?=["'\s,]|$)/g, (word) => (isSecretValue(word) ? HIDDEN : word))
