import { RE2JS } from 're2js'
import { SluiceError, messageOf } from '../../ground/errors.ts'
import { isRecord, numberOf } from './parse-data.ts'

/** A test of one element, such as `status == "open" and amount > 10`. */
export interface Condition {
  readonly source: string
  /** The dotted field names that it looks at, each as a list of keys. */
  readonly fields: readonly (readonly string[])[]
  test(element: unknown): boolean
}

type Test = (element: unknown) => boolean
type Operand = { field: readonly string[] } | { literal: unknown }
type Compare = (left: unknown, right: unknown) => boolean

export const CONDITION_SYNTAX =
  'Conditions look like status == "open", amount > 10, name contains "abc", email matches "^a.*@b", joined by and, or, not and brackets.'

const TOKEN =
  /\s*(?:(\(|\)|&&|\|\||===?|!==?|<=|>=|<|>|=~|!)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_]))|([@$]?[\p{L}\p{N}_$@.*-]+|\[\s*"[^"]+"\s*\]))/uy

/** Reads a condition. Throws BAD_INPUT with the right syntax. */
export function parseCondition(source: string): Condition {
  const parser = new ConditionParser(source)
  return { source, test: parser.parse(), fields: parser.fields }
}

/** Everything that `keys` reach in `value`; arrays on the way stand for each of their elements. */
export function valuesAt(value: unknown, keys: readonly string[]): unknown[] {
  return keys.reduce<unknown[]>(
    (found, key) =>
      found.flatMap((each) => {
        const elements: unknown[] = Array.isArray(each) ? each : [each]
        return elements.flatMap((element): unknown[] => {
          if (!isRecord(element)) return []
          if (key === '*') return Object.values(element)
          return Object.hasOwn(element, key) ? [element[key]] : []
        })
      }),
    [value],
  )
}

interface Token {
  kind: 'operator' | 'text' | 'number' | 'name'
  value: string
}

class ConditionParser {
  readonly fields: (readonly string[])[] = []
  readonly #source: string
  readonly #tokens: Token[] = []
  #at = 0

  constructor(source: string) {
    this.#source = source
    TOKEN.lastIndex = 0
    let end = 0
    while (source.slice(end).trim() !== '') {
      TOKEN.lastIndex = end
      const match = TOKEN.exec(source)
      if (!match) throw this.#bad(`Cannot read ${JSON.stringify(source.slice(end, end + 20))}`)
      end = TOKEN.lastIndex
      const [, operator, double, single, number, name] = match
      if (operator !== undefined) this.#tokens.push({ kind: 'operator', value: operator })
      else if (number !== undefined) this.#tokens.push({ kind: 'number', value: number })
      else if (name !== undefined) this.#tokens.push({ kind: 'name', value: name })
      else this.#tokens.push({ kind: 'text', value: unescape(double ?? single ?? '') })
    }
  }

  parse(): Test {
    const test = this.#either()
    if (this.#at < this.#tokens.length) throw this.#bad(`Unexpected ${JSON.stringify(this.#peek()?.value)}`)
    return test
  }

  #either(): Test {
    const tests = [this.#both()]
    while (this.#take('||', 'or')) tests.push(this.#both())
    return tests.length === 1 && tests[0] ? tests[0] : (element) => tests.some((test) => test(element))
  }

  #both(): Test {
    const tests = [this.#single()]
    while (this.#take('&&', 'and')) tests.push(this.#single())
    return tests.length === 1 && tests[0] ? tests[0] : (element) => tests.every((test) => test(element))
  }

  #single(): Test {
    if (this.#take('!', 'not')) {
      const test = this.#single()
      return (element) => !test(element)
    }
    if (this.#take('(')) {
      const test = this.#either()
      if (!this.#take(')')) throw this.#bad('A closing bracket is missing')
      return test
    }
    const left = this.#operand()
    const compare = this.#operator()
    if (!compare) return (element) => resolve(left, element).some(isTruthy)
    const right = this.#operand()
    if (compare === 'matches') return this.#matches(left, right)
    // Absent and null count as the same, so that `owner == null` finds what has no owner.
    return (element) => {
      const lefts = resolve(left, element)
      const rights = resolve(right, element)
      return (lefts.length > 0 ? lefts : [null]).some((a) =>
        (rights.length > 0 ? rights : [null]).some((b) => compare(a, b)),
      )
    }
  }

  #matches(left: Operand, right: Operand): Test {
    const pattern = 'literal' in right ? right.literal : undefined
    if (typeof pattern !== 'string') throw this.#bad('matches wants a regular expression in quotes')
    const compiled = compile(pattern, this.#bad.bind(this))
    return (element) =>
      resolve(left, element).some((value) => typeof value === 'string' && compiled.test(value))
  }

  #operator(): Compare | 'matches' | undefined {
    const token = this.#peek()
    if (!token || (token.kind !== 'operator' && token.kind !== 'name')) return undefined
    const found = COMPARISONS[token.value.toLowerCase()]
    if (found) this.#at++
    return found
  }

  #operand(): Operand {
    const token = this.#peek()
    if (!token || token.kind === 'operator') throw this.#bad('A field or value is missing')
    this.#at++
    if (token.kind === 'text') return { literal: token.value }
    if (token.kind === 'number') return { literal: Number(token.value) }
    if (token.value in WORDS) return { literal: WORDS[token.value] }
    const field = keysOf(token.value)
    this.fields.push(field)
    return { field }
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at]
  }

  #take(...values: string[]): boolean {
    const token = this.#peek()
    if (!token || token.kind === 'text' || !values.includes(token.value.toLowerCase())) return false
    this.#at++
    return true
  }

  #bad(what: string): SluiceError {
    return new SluiceError(
      'BAD_INPUT',
      `${what} in the condition ${JSON.stringify(this.#source.slice(0, 200))}. ${CONDITION_SYNTAX}`,
    )
  }
}

const WORDS: Readonly<Record<string, unknown>> = Object.assign(Object.create(null), {
  true: true,
  false: false,
  null: null,
})

/** `@` and `$` stand for the element itself. */
function keysOf(name: string): string[] {
  const quoted = /^\[\s*"([^"]+)"\s*\]$/.exec(name)?.[1]
  if (quoted !== undefined) return [quoted]
  return name.split('.').filter((key, index) => key !== '' && !(index === 0 && (key === '@' || key === '$')))
}

const unescape = (text: string): string => text.replaceAll(/\\(["'])/g, '$1')

function compile(pattern: string, bad: (what: string) => SluiceError): { test(text: string): boolean } {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    throw bad(`The regular expression ${JSON.stringify(pattern)} is not valid (${messageOf(error)})`)
  }
}

const resolve = (operand: Operand, element: unknown): unknown[] =>
  'literal' in operand
    ? [operand.literal]
    : valuesAt(element, operand.field).flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]))

const isTruthy = (value: unknown): boolean => Boolean(value) && numberOf(value) !== 0

/** Numbers compare as numbers, also with text that is one (cells of a table); everything else as text. */
function order(left: unknown, right: unknown): number | undefined {
  const numbers = [asNumber(left, right), asNumber(right, left)] as const
  if (numbers[0] !== undefined && numbers[1] !== undefined) return numbers[0] - numbers[1]
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0
  return undefined
}

function asNumber(value: unknown, other: unknown): number | undefined {
  const number = numberOf(value)
  if (number !== undefined) return number
  const isNumeric = typeof value === 'string' && numberOf(other) !== undefined && value.trim() !== ''
  return isNumeric && Number.isFinite(Number(value)) ? Number(value) : undefined
}

function equal(left: unknown, right: unknown): boolean {
  const compared = order(left, right)
  if (compared !== undefined) return compared === 0
  if (typeof left === 'boolean' || typeof right === 'boolean') return String(left) === String(right)
  return left === right
}

const ordered = (accept: (order: number) => boolean): Compare => {
  return (left, right) => {
    const compared = order(left, right)
    return compared !== undefined && accept(compared)
  }
}

const COMPARISONS: Readonly<Record<string, Compare | 'matches'>> = Object.assign(
  Object.create(null) as Record<string, Compare | 'matches'>,
  {
    '==': equal,
    '===': equal,
    '=': equal,
    '!=': (left: unknown, right: unknown) => !equal(left, right),
    '!==': (left: unknown, right: unknown) => !equal(left, right),
    '<': ordered((order) => order < 0),
    '<=': ordered((order) => order <= 0),
    '>': ordered((order) => order > 0),
    '>=': ordered((order) => order >= 0),
    contains: (left: unknown, right: unknown) =>
      typeof left === 'string'
        ? left.toLowerCase().includes(String(right).toLowerCase())
        : equal(left, right),
    '=~': 'matches',
    matches: 'matches',
  } as const,
)
