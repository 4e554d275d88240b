/** 3: the program ends, 2: failure, 1: warning. From general log vocabulary. */
export type Severity = 0 | 1 | 2 | 3

const WORST =
  /\b(?:fatal|panic|crit(?:ical)?|emerg(?:ency)?|alert|segfault|core dumped|out of memory|oom[- ]?kill\w*)\b/i
const ERROR =
  /\b(?:err(?:or)?s?|severe|exception|fail(?:s|ed|ure|ures)?|denied|refused|unable|cannot|can't|could not|corrupt\w*|abort(?:ed|ing)?|crash\w*|killed|unreachable|lost|rejected|invalid)\b|\b[A-Z]\w*(?:Error|Exception)\b/i
const WARNING =
  /\b(?:warn(?:ing)?s?|time[ds]?[- ]?out|retry(?:ing)?|slow|deprecated|missing|disconnect\w*|expired|dropped)\b/i
const STATUS = /(?:" |(?:status|code)["']?[=:\s]{1,2}|HTTP\/[\d.]+ )([45])\d\d\b/i
const CALM_LEVEL = /^[[(<]?(?:trace|debug|verbose|info|information|notice|fine\w*)[\])>]?:?$/i
const LEVELS: readonly (readonly [RegExp, Severity])[] = [
  [/^[[(<]?(?:fatal|panic|crit|emerg|alert)/i, 3],
  [/^[[(<]?(?:err|severe)/i, 2],
  [/^[[(<]?warn/i, 1],
]

/** From the level column and the message. */
export function severityOf(message: string, level = ''): Severity {
  const stated = LEVELS.find(([pattern]) => pattern.test(level))?.[1] ?? 0
  const text = message.slice(0, 400)
  const status = STATUS.exec(text)?.[1]
  if (status === '5') return 2
  if (status === '4') return 1
  const spoken: Severity = WORST.test(text) ? 3 : ERROR.test(text) ? 2 : WARNING.test(text) ? 1 : 0
  // "0 errors" at INFO isn't an error: a calm level subtracts one.
  const heard = CALM_LEVEL.test(level) && spoken > 0 ? spoken - 1 : spoken
  return heard > stated ? toSeverity(heard) : stated
}

const toSeverity = (value: number): Severity => (value >= 3 ? 3 : value === 2 ? 2 : value === 1 ? 1 : 0)
