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

  placeholderFor(type: string, value: string): string {
    const given = this.#placeholders.get(value)
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
    this.#placeholders.set(value, placeholder)
    this.#values.set(placeholder, value)
    this.all.add({ type, value })
    if (isSoughtAgain({ type, value })) this.#known.push({ type, value })
    return placeholder
  }

  valueOf(placeholder: string): string | undefined {
    return this.#values.get(placeholder)
  }
}
