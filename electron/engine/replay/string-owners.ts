import type { HeldResult } from './held-result.ts'
import { visitCodeLines, visitSpecific, withoutNumbers } from './specific-strings.ts'

/** Twice as many are remembered at most: some 100 bytes each. */
const MANY_STRINGS = 750_000
const MOST_OWNERS = 4

/** null: the context had it from elsewhere, or it isn't worth a count any more. */
type Owner = HeldResult | readonly HeldResult[] | null

export interface FoundUse {
  /** The latest result that had it. */
  readonly owner: HeldResult
  /** By the form of this strategy, or of an earlier result that had it, too. */
  readonly isShown: (strategy: number) => boolean
}

/** Which strings of a context came with which result. */
export class StringOwners {
  #recent = new Map<number, Owner>()
  /** Forgotten as a whole, because a map whose first entries are deleted one by one gets slow. */
  #older: ReadonlyMap<number, Owner> = new Map()

  clear(): void {
    this.#recent = new Map()
    this.#older = new Map()
  }

  /** Strings of a prompt, an argument, an answer, or a result that stays whole. */
  noteKnown(text: string): void {
    const note = (key: number): void => this.#set(key, null)
    visitSpecific(text, note)
    visitCodeLines(text, note)
  }

  noteResult(text: string, result: HeldResult): void {
    const note = (key: number): void => {
      const owner = this.#get(key)
      if (owner === undefined) this.#set(key, result)
      else if (owner !== null) this.#set(key, added(owner, result))
    }
    visitSpecific(text, note)
    visitCodeLines(text, note)
  }

  /** Each string counts once: then the model has written it itself. */
  *usesIn(text: string): Generator<FoundUse> {
    const found: { owner: Owner; start: number; end: number }[] = []
    visitSpecific(text, (key, start, end) => {
      const owner = this.#get(key)
      const last = found.at(-1)
      // A shorter form of the same path.
      const isSame = last !== undefined && start >= last.start && end <= last.end
      if (owner && !isSame) found.push({ owner, start, end })
      this.#set(key, null)
    })
    for (const { owner, start, end } of found) {
      const value = text.slice(start, end)
      const use = useOf(owner, (form) => form.includes(value))
      if (use) yield use
    }
  }

  /** Text that an edit replaces: the file has it byte by byte, so the form has to show all of it. */
  *editIn(text: string): Generator<FoundUse> {
    const owners = new Map<HeldResult, Owner>()
    let lines = 0
    visitCodeLines(text, (key) => {
      lines++
      const owner = this.#get(key) ?? null
      const latest = latestOf(owner)
      if (latest) owners.set(latest, owner)
      this.#set(key, null)
    })
    if (lines === 0) {
      yield* this.usesIn(text)
      return
    }
    const wanted = text.trim()
    for (const owner of owners.values()) {
      const use = useOf(owner, (form) => form.includes(wanted) || withoutNumbers(form).includes(wanted))
      if (use) yield use
    }
    visitSpecific(text, (key) => this.#set(key, null))
  }

  #get(key: number): Owner | undefined {
    const owner = this.#recent.get(key)
    return owner === undefined ? this.#older.get(key) : owner
  }

  #set(key: number, owner: Owner): void {
    this.#recent.set(key, owner)
    if (this.#recent.size < MANY_STRINGS) return
    this.#older = this.#recent
    this.#recent = new Map()
  }
}

const added = (owner: HeldResult | readonly HeldResult[], result: HeldResult): Owner => {
  const all = 'facts' in owner ? [owner] : owner
  return all.at(-1) === result ? owner : [...all.slice(-MOST_OWNERS + 1), result]
}

const latestOf = (owner: Owner): HeldResult | undefined =>
  owner === null ? undefined : 'facts' in owner ? owner : owner.at(-1)

function useOf(owner: Owner, isIn: (form: string) => boolean): FoundUse | undefined {
  const latest = latestOf(owner)
  if (!latest || owner === null) return undefined
  const all = 'facts' in owner ? [owner] : owner
  const isShown = (strategy: number): boolean =>
    all.some(({ facts }) => {
      const form = facts.forms[strategy]
      return form === undefined || isIn(form.text)
    })
  return { owner: latest, isShown }
}
