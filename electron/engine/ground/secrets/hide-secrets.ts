import { isLaunchVariable } from './launch-variables.ts'
import { shownVariable } from './pinned-variable.ts'
import { areSecrets, isSecretName } from './redact.ts'
import {
  HIDDEN,
  hasUnclearHost,
  isProgramAddress,
  isSwitch,
  looksLikeKey,
  namesSecret,
  placesOfArguments,
  replaceParts,
  secretsInArguments,
  secretsOfAddress,
  type ArgumentPlace,
} from './secret-arguments.ts'

export { HIDDEN }

/**
 * Never hides what a program may run. `showValue`: shown form of a variable's or header's value; default: the pinned
 * form.
 */
export function hideInArgs(
  args: readonly string[],
  command?: string,
  showValue: (name: string, value: string) => string = (name, value) =>
    shownVariable(name, value, () => HIDDEN),
): string[] {
  const named = secretsInArguments(args, command, isHiddenName)
  const behindFlags = areSecrets(args, command)
  return placesOfArguments(args, command).map((place, index) => {
    const arg = args[index] ?? ''
    if (!place || place.isCode) return arg
    const parts = named[index] ?? []
    if (isProgramAddress(place.state, arg.replace(/^--[\w-]+=/, ''))) return replaceParts(arg, parts)
    if (parts.length > 0) return hideInAddress(replaceParts(arg, parts))
    if (
      place.state === 'running' &&
      ONE_WORD.test(arg) &&
      ((behindFlags[index] && !isSwitch(place.before)) || looksLikeKey(arg))
    )
      return HIDDEN
    return hideAssigned(place, showValue)
  })
}

const ONE_WORD = /^[^\s;&|<>()$`"'\\^%/]+$/
const isHiddenName = (name: string): boolean =>
  namesSecret(name) || (isSecretName(name) && !isLaunchVariable(name))
const hideInAddress = (arg: string): string =>
  /[\s;|<>()$`"'\\^]/.test(arg) ? replaceParts(arg, secretsOfAddress(arg, 0, isHiddenName)) : hideInUrl(arg)

function hideAssigned(
  { arg, before, state }: ArgumentPlace,
  showValue: (name: string, value: string) => string,
): string {
  const [, name = '', value = ''] = /^(-{0,2}[\w.-]+)=([^]*)$/.exec(arg) ?? []
  const isVariable = /^(?:-e|--env)$/.test(before) && !isLaunchVariable(name)
  if (isVariable && state === 'running') return `${name}=${showValue(name, value)}`
  if (name !== '' && ONE_WORD.test(value) && looksLikeKey(value)) return `${name}=${HIDDEN}`
  if (name !== '') return `${name}=${hideInAddress(value)}`
  const [header = '', title = ''] = /^([\w-]+):\s*(?=\S)/.exec(arg) ?? []
  if (header !== '' && state === 'running' && /^(?:-H|--headers?)$/.test(before))
    return header + showValue(title, arg.slice(header.length))
  return hideInAddress(arg)
}

const ADDRESS = /^[a-z][\w+.-]*:\/\//i
/** Longer texts aren't addresses. */
const LONGEST_ADDRESS = 4000

export function hideInUrl(text: string): string {
  if (text.length > LONGEST_ADDRESS || !ADDRESS.test(text) || hasUnclearHost(text)) return text
  const [address = '', ...query] = text.split('?')
  const bare = address.replace(/^([a-z][\w+.-]*:\/\/)[^/#@\s]*@/i, `$1${HIDDEN}@`)
  return [bare, ...query.map((part) => part.replaceAll(/([^=&#\s]+)=[^&#\s]*/g, `$1=${HIDDEN}`))].join('?')
}

/** In comments and other parts of a file: `"token": "…"`, bearer tokens, long random words. */
export const hideInLine = (line: string): string =>
  line
    .replaceAll(/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${HIDDEN}`)
    .replaceAll(
      /((?:[\w-]*(?:key|token|secret|passw(?:or)?d|credential)[\w-]*)["']?\s*[:=]\s*["']?)(?!["'\s{[…]|(?:true|false|null)(?![\w-]))[^"',\s};&|<>()$`\\]+/gi,
      `$1${HIDDEN}`,
    )
    .replaceAll(/(?<=["'=\s])[\w.~+-]{20,}(?=["'\s,]|$)/g, (word) => (looksLikeKey(word) ? HIDDEN : word))
