import { LOWER, LOWERED } from './lower-units.ts'

/**
 * The first units of all matches of a pattern, by its source: at most `count`, fewer where any unit may follow. Small
 * letters stand for capital ones, too. What looks around takes no unit.
 */
export function prefixesOf(source: string, count: number): Set<string> {
  const reader = new Reader(source, count)
  const prefixes = reader.alternatives()
  if (!reader.isDone) throw new SyntaxError(`Unread rest of a pattern: ${source}`)
  return new Set([...prefixes].map((prefix) => (prefix.endsWith(ANY) ? prefix.slice(0, -1) : prefix)))
}

/** Ends a prefix: any unit follows, or none. */
const ANY = '\uffff'
/** Larger classes are any unit. */
const LARGEST_CLASS = 24
const DIGITS = '0123456789'

class Reader {
  readonly #source: string
  readonly #count: number
  #at = 0

  constructor(source: string, count: number) {
    this.#source = source
    this.#count = count
  }

  get isDone(): boolean {
    return this.#at === this.#source.length
  }

  alternatives(): Set<string> {
    let all = this.#sequence()
    while (this.#take('|')) all = all.union(this.#sequence())
    return all
  }

  #sequence(): Set<string> {
    let prefixes = new Set([''])
    while (!this.isDone && !/[|)]/.test(this.#next)) {
      const { units, isAside } = this.#atom()
      const [least, most] = this.#quantifier()
      if (!isAside) prefixes = this.#joined(prefixes, this.#repeated(units, least, most))
    }
    return prefixes
  }

  #atom(): { units: Set<string>; isAside: boolean } {
    const isAside = /^(?:\(\?(?:<?[=!])|\\b|[$^])/.test(this.#source.slice(this.#at, this.#at + 4))
    if (this.#take('(')) {
      for (const kind of ['?:', '?=', '?!', '?<=', '?<!']) if (this.#take(kind)) break
      const units = this.alternatives()
      this.#take(')')
      return { units, isAside }
    }
    if (this.#take('[')) return { units: this.#class(), isAside }
    if (this.#take('.')) return { units: new Set([ANY]), isAside }
    return { units: setOf(this.#escaped()), isAside }
  }

  /** One unit, those of its class, or undefined for many. */
  #escaped(): string | undefined {
    const sign = this.#source.charAt(this.#at++)
    if (sign !== '\\') return sign
    const kind = this.#source.charAt(this.#at++)
    if (kind === 'd') return DIGITS
    if (kind === 'u') {
      this.#at += 4
      return String.fromCharCode(parseInt(this.#source.slice(this.#at - 4, this.#at), 16))
    }
    if (/[a-z]/i.test(kind)) return kind === 'b' ? '' : undefined
    return kind
  }

  #class(): Set<string> {
    let units: string | undefined = this.#take('^') ? undefined : ''
    while (!this.#take(']')) {
      const first = this.#escaped()
      const isRange = this.#next === '-' && this.#source.charAt(this.#at + 1) !== ']'
      if (isRange) this.#at++
      const last = isRange ? this.#escaped() : first
      units =
        units === undefined || first === undefined || last === undefined
          ? undefined
          : units + (isRange ? range(first, last) : first)
    }
    return setOf(units)
  }

  #quantifier(): [number, number] {
    const [written = '', sign, least, comma, most] =
      /^(?:([?*+])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at)) ?? []
    this.#at += written.length
    if (sign !== undefined) return sign === '?' ? [0, 1] : [sign === '*' ? 0 : 1, Infinity]
    if (least === undefined) return [1, 1]
    return [Number(least), comma === '' ? Number(least) : most === '' ? Infinity : Number(most)]
  }

  #repeated(units: Set<string>, least: number, most: number): Set<string> {
    let once = new Set([''])
    let all = new Set<string>(least === 0 ? once : [])
    for (let times = 1; times <= Math.min(most, this.#count); times++) {
      once = this.#joined(once, units)
      if (times >= Math.min(least, this.#count)) all = all.union(once)
    }
    return all
  }

  #joined(before: Set<string>, after: Set<string>): Set<string> {
    const joined = new Set<string>()
    for (const prefix of before) {
      if (prefix.length >= this.#count || prefix.endsWith(ANY)) joined.add(prefix)
      else for (const units of after) joined.add((prefix + units).slice(0, this.#count))
    }
    return joined
  }

  get #next(): string {
    return this.#source.charAt(this.#at)
  }

  #take(signs: string): boolean {
    if (!this.#source.startsWith(signs, this.#at)) return false
    this.#at += signs.length
    return true
  }
}

const range = (first: string, last: string): string =>
  Array.from({ length: last.charCodeAt(0) - first.charCodeAt(0) + 1 }, (_, i) =>
    String.fromCharCode(first.charCodeAt(0) + i),
  ).join('')

/** As they are looked for: letters of other scripts in both cases. */
function setOf(units: string | undefined): Set<string> {
  if (units === undefined || units.length > LARGEST_CLASS) return new Set([ANY])
  const set = new Set<string>()
  for (const unit of units.split('')) {
    const code = unit.charCodeAt(0)
    if (code < LOWERED) set.add(String.fromCharCode(LOWER[code] ?? code))
    else
      for (const each of [unit, unit.toLowerCase(), unit.toUpperCase()]) if (each.length === 1) set.add(each)
  }
  return set
}
