/** 2001 to 2096. */
const EARLIEST = 1e9
const LATEST = 4e9
const TIME = /^(\d{10})(?:(\d{3})|\.\d{1,9})?$/

/** "2026-02-20 00:00" (UTC) for seconds, with a fraction or not, or milliseconds; undefined for other texts. */
export function unixTime(source: string): string | undefined {
  if (source.length < 10) return undefined
  const seconds = Number(TIME.exec(source)?.[1] ?? 0)
  if (seconds < EARLIEST || seconds > LATEST) return undefined
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')
}

/** The same for a date as ISO 8601 writes it, also without signs between. */
export function timeOf(source: string): string | undefined {
  if (/^\d{4}-\d\d-\d\d/.test(source)) return source.slice(0, 16)
  const [, year, month, day, hour, minute] = COMPACT.exec(source) ?? []
  if (year === undefined) return unixTime(source)
  return `${year}-${month}-${day}${hour === undefined ? '' : ` ${hour}:${minute}`}`
}
const COMPACT = /^((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T(\d\d)(\d\d)(?:\d\d)?Z?)?$/
