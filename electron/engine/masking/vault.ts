import { SluiceError } from '../ground/errors.ts'
import { isSoughtAgain, KnownValues, type KnownValue } from './known-values.ts'
import { BUILT_IN_NAMES, nameOf } from './placeholders.ts'

/** Never the same number twice. */
export type NextNumber = (name: string) => number

export const countFromOne = (): NextNumber => {
  const last = new Map<string, number>()
  return (name) => {
    const next = (last.get(name) ?? 0) + 1
    last.set(name, next)
    return next
  }
}

const MOST_VALUES = 500_000
/** Context-dependent values that are searched again. */
const MOST_KNOWN = 5000

/** Placeholder → value. In memory only, for the client's session. */
export class Vault {
  readonly #nextNumber: NextNumber
  readonly #placeholders = new Map<string, string>()
  /** Of numbers of JSON, which return as such. */
  readonly #ofNumbers = new Map<string, string>()
  readonly #values = new Map<string, string>()
  readonly #names = new Set<string>()
  readonly #known: KnownValue[] = []
  /** In any context. */
  readonly all = new KnownValues()

  constructor(nextNumber: NextNumber) {
    this.#nextNumber = nextNumber
  }

  get size(): number {
    return this.#values.size
  }

  /** Of custom patterns. */
  get customNames(): string[] {
    return [...this.#names].filter((name) => !BUILT_IN_NAMES.has(name))
  }

  get known(): readonly KnownValue[] {
    return this.#known.slice(-MOST_KNOWN)
  }

  /** A number of JSON has another placeholder than the same digits in a text. */
  placeholderFor(type: string, value: string, isNumber = false): string {
    const placeholders = isNumber ? this.#ofNumbers : this.#placeholders
    const given = placeholders.get(value)
    if (given !== undefined) return given
    if (this.#values.size >= MOST_VALUES) {
      throw new SluiceError(
        'LIMIT_REACHED',
        `More than ${MOST_VALUES} different values were masked in this session. Start a new session of the client.`,
      )
    }
    const name = nameOf(type)
    const placeholder = `[${name}_${this.#nextNumber(name)}]`
    this.#names.add(name)
    placeholders.set(value, placeholder)
    this.#values.set(placeholder, value)
    this.all.add({ type, value })
    if (isSoughtAgain({ type, value })) this.#known.push({ type, value })
    return placeholder
  }

  get hasNumbers(): boolean {
    return this.#ofNumbers.size > 0
  }

  /** Whether it is the placeholder of a number of JSON. */
  isOfNumber(placeholder: string): boolean {
    return this.#ofNumbers.get(this.#values.get(placeholder) ?? '') === placeholder
  }

  /** The one that was given for it, of a number or of a text. */
  givenFor(value: string, isNumber: boolean): string | undefined {
    const [first, second] = isNumber
      ? [this.#ofNumbers, this.#placeholders]
      : [this.#placeholders, this.#ofNumbers]
    return first.get(value) ?? second.get(value)
  }

  valueOf(placeholder: string): string | undefined {
    return this.#values.get(placeholder)
  }
}
