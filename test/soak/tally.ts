/** What became of every call. A call that is none of the others is lost: that is what a soak is there to find. */
export interface CallCounts {
  readonly made: number
  readonly answered: number
  /** An error, or a result with `isError`, that says why. */
  readonly refused: number
  /** The soak itself killed the caller or the engine while they were under way, so nobody was left to answer or to hear it. */
  readonly cutOff: number
  /** No answer within a time far above every limit, the answer to another call, or an error that says nothing. */
  readonly lost: number
}

export class Tally {
  readonly #say: (line: string) => void
  readonly reasons = new Map<string, number>()
  /** The first few calls that were lost, in words. */
  readonly lostCalls: string[] = []
  #made = 0
  #answered = 0
  #refused = 0
  #cutOff = 0
  #lost = 0

  constructor(say: (line: string) => void) {
    this.#say = say
  }

  made(): void {
    this.#made++
  }

  answered(): void {
    this.#answered++
  }

  refused(reason: string): void {
    this.#refused++
    const kind = kindOf(reason)
    this.reasons.set(kind, (this.reasons.get(kind) ?? 0) + 1)
  }

  cutOff(): void {
    this.#cutOff++
  }

  lost(what: string): void {
    this.#say(`LOST ${what.slice(0, 500)}`)
    this.#lost++
    if (this.lostCalls.length < 20) this.lostCalls.push(what.slice(0, 500))
  }

  get counts(): CallCounts {
    const counts = {
      made: this.#made,
      answered: this.#answered,
      refused: this.#refused,
      cutOff: this.#cutOff,
    }
    // What was made and never came to an end here is lost, too.
    const open = counts.made - counts.answered - counts.refused - counts.cutOff - this.#lost
    return { ...counts, lost: this.#lost + open }
  }
}

/** Reasons that differ in names and numbers only are of one kind. */
const kindOf = (reason: string): string =>
  reason
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\d+(?:\.\d+)?/g, 'N')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 160)
