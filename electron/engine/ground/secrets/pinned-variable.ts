import { isFunctionOfShell } from './launch-variables.ts'
import { isSecretName } from './redact.ts'
import { HIDDEN, hasUnclearHost, isSwitch, looksLikeKey, namesSecret } from './secret-arguments.ts'

/**
 * For pins and display. One plain word under a secret's name, or with an issuer's prefix, counts by name only, so
 * that a new key changes nothing. `hide` gets other possible secrets.
 */
export function shownVariable(name: string, value: string, hide: (secret: string) => string): string {
  if (SETTLED.test(value) || WHERE_IT_IS.test(value) || isFunctionOfShell(value)) return value
  const isNamed = namesSecret(name) && !isSwitch(name)
  if (ONE_ADDRESS.test(value)) return withoutSpots(value, hide)
  if (PATH.test(value)) {
    const isFile = FILE_NAME.test(value) && !value.split(/[\\/]/).some(looksLikeKey)
    return isFile || !isSecretName(name) ? withoutSpots(value, hide) : hide(value)
  }
  const key = value.replace(SCHEME, '')
  if (isPlainKey(key) && (isNamed || ISSUED.test(key))) return HIDDEN
  if (isSecretName(name)) return SHORT_NUMBER.test(value) && !isNamed ? value : hide(value)
  return withoutSpots(value, hide)
}

/** Never secret. */
const SETTLED =
  /^(?:true|false|yes|no|on|off|none|null|enabled?|disabled?|auto|always|never|required|optional|[01])?$/i
/** `Bearer ${secret:NAME}` belongs to the launch. */
const WHERE_IT_IS = /^(?:\w+ )?\$\{(?:env|secret):[^}]*\}$/
const SHORT_NUMBER = /^[+-]?\d{1,5}(?:\.\d{1,5})?$/
const PATH = /^(?:~|\.{0,2})[/\\]|^[A-Za-z]:[/\\]|^file:/
const FILE_NAME = /\.[A-Za-z]\w{0,4}$/
const ONE_ADDRESS = /^[a-z][\w+.-]*:\/\/\S+$/i
const SCHEME = /^(?:Bearer|Basic|Token|Digest|ApiKey|Key)[ \t]+/i
/** As in shells. Other first characters may mark an option or command: `--x`, `!x`, `@x`. */
const ONE_WORD = /^\w[^\s;&|<>()$`"'\\^%]*$/
/** `cmd:x`, `env:x` */
const KIND_OF_PLACE = /^[a-z]{2,12}:/i
/** With a slash also both cases and digits. */
const CODED = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+/=-]{20,}$/
const isPlainKey = (text: string): boolean =>
  ONE_WORD.test(text) &&
  !FILE_NAME.test(text) &&
  !KIND_OF_PLACE.test(text) &&
  (!text.includes('/') || CODED.test(text))
const ONE_WORD_OF_ADDRESS = /^[^\s;|<>()$`"'\\^]+$/

const ISSUER =
  'gh[oprsu]_[A-Za-z\\d]{20,}|github_pat_\\w{20,}|glpat-[\\w-]{16,}|npm_[A-Za-z\\d]{30,}|sk-[\\w-]{16,}|xox[abeprs]-[\\w-]{10,}|AKIA[A-Z\\d]{16}|AIza[\\w-]{30,}|eyJ[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]*'
const ISSUED = new RegExp(`^(?=.*\\d)(?:${ISSUER})$`)

interface Spot {
  readonly start: number
  readonly end: number
  /** Only the name counts. */
  readonly isNamed: boolean
}

/** Bounded, or anchored at a word's start: linear time. */
const SPOTS: readonly RegExp[] = [
  /()(-----BEGIN [^-]{1,80}-----[^]*?(?:-----END [^-]{1,80}-----|$))/dg,
  /(?<!\w)((?:Bearer|Basic|Token|Digest|ApiKey)\s+)([\w.~+/=-]{6,})/dgi,
  new RegExp(`(?<![\\w-])()(${ISSUER})`, 'dg'),
  /(?<![\w.+/-])([\w.+-]{1,80}:)([^\s@/"']{1,200})(?=@[\w.-])/dg,
  /(?<![\w.~+-])()([\w.~+-]{20,}={0,2})/dg,
  /(?<![\w.~+\\/-])()([\w.~+-]{4,})(?![\w.~+\\/-])/dg,
]
/** `"api_key": "…"`, `password=…;`, `--token …`. */
const NAMED =
  /(?<![\w.-])-{0,2}([A-Za-z][\w.-]*)["']?(?:\s*[=:]\s*|(?<=--?[\w.-]{1,80})\s+(?!-))("[^"]*"|'[^']*'|[^\s"',;&{}[\]]+)/dg
const ADDRESSES = /(?<![\w+.-])[a-z][\w+.-]*:\/\/[^\s"'<>,]*/gi

function withoutSpots(text: string, hide: (secret: string) => string): string {
  const found: Spot[] = spotsOfAddresses(text)
  for (const [index, pattern] of SPOTS.entries())
    for (const { indices } of text.matchAll(pattern)) {
      const [start = 0, end = 0] = indices?.[2] ?? []
      const word = text.slice(start, end)
      if (
        index < SPOTS.length - 2 ||
        looksLikeKey(word) ||
        (index === SPOTS.length - 1 && isOpaqueWord(word))
      )
        found.push({ start, end, isNamed: false })
    }
  for (const { 1: name = '', indices } of text.matchAll(NAMED)) {
    const [start = 0, end = 0] = indices?.[2] ?? []
    const value = text.slice(start, end)
    if (isSecretName(name) && !isSwitch(name) && !SETTLED.test(value) && !ONE_ADDRESS.test(value))
      found.push({ start, end, isNamed: false })
  }
  return replaced(text, found, hide)
}

const isOpaqueWord = (word: string): boolean => word.split(/[^A-Za-z\d]/).some(isOpaque)

/** `7Qm2` and `a8k3z0q1` aren't words; `utf8`, `us-east-1` and `OAuth` are. */
const isOpaque = (part: string): boolean =>
  part.length >= 4 &&
  ((/\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part)) ||
    (part.length >= 8 && (part.match(/\d(?=[a-z])|[a-z](?=\d)/gi)?.length ?? 0) > 2))

const mayBeFile = (value: string): boolean => /[/\\]|%2f|%5c/i.test(value) || FILE_NAME.test(value)

function spotsOfAddresses(text: string): Spot[] {
  const spots: Spot[] = []
  for (const { 0: address, index } of text.matchAll(ADDRESSES)) {
    if (hasUnclearHost(address)) continue
    const add = (at: number, value: string, isNamed: boolean): void => {
      if (value === '' || WHERE_IT_IS.test(value)) return
      spots.push({
        start: index + at,
        end: index + at + value.length,
        isNamed: isNamed && ONE_WORD_OF_ADDRESS.test(value),
      })
    }
    const [, scheme = '', user, place = ''] = /^([^:]*:\/\/)(?:([^/?#]*)@)?([^?#]*)/.exec(address) ?? []
    const colon = user?.indexOf(':') ?? -1
    if (user !== undefined) add(scheme.length + colon + 1, user.slice(colon + 1), true)
    const atPlace = scheme.length + (user === undefined ? 0 : user.length + 1)
    for (const part of place.matchAll(/[^/]+/g))
      if (looksLikeKey(part[0])) add(atPlace + part.index, part[0], false)
    const rest = address.slice(atPlace + place.length)
    for (const { 1: key = '', 2: value = '', index: at } of rest.matchAll(/[?&#]([^=&#]*)=([^&#]*)/g)) {
      const isNamed = namesSecret(key) && !isSwitch(key)
      if (!SETTLED.test(value) && (isNamed || isSecretName(key) || looksLikeKey(value)))
        add(atPlace + place.length + at + key.length + 2, value, isNamed && !mayBeFile(value))
    }
  }
  return spots
}

/** A merged spot counts by name only if all its parts do. */
function replaced(text: string, spots: readonly Spot[], hide: (secret: string) => string): string {
  const merged: Spot[] = []
  const inOrder = spots.toSorted(
    (one, other) =>
      one.start - other.start || other.end - one.end || Number(other.isNamed) - Number(one.isNamed),
  )
  for (const spot of inOrder) {
    const last = merged.at(-1)
    if (!last || spot.start >= last.end) merged.push(spot)
    else if (!last.isNamed || spot.end > last.end)
      merged[merged.length - 1] = {
        start: last.start,
        end: Math.max(last.end, spot.end),
        isNamed: last.isNamed && spot.isNamed,
      }
  }
  let shown = ''
  let from = 0
  for (const { start, end, isNamed } of merged) {
    shown += text.slice(from, start) + (isNamed ? HIDDEN : hide(text.slice(start, end)))
    from = end
  }
  return shown + text.slice(from)
}
