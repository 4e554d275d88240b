/** The outcome of every call. One without another outcome is lost, which is what a soak looks for. */
export interface CallCounts {
  readonly made: number
  readonly answered: number
  /** An error, or a result with `isError`, with a reason. */
  readonly refused: number
  /** The soak itself killed the caller or the engine meanwhile. */
  readonly cutOff: number
  /** No answer in a time far above every limit, another call's answer, or an error without a reason. */
  readonly lost: number
}

export class Tally {
  readonly #say: (line: string) => void
  readonly reasons = new Map<string, number>()
  /** Descriptions of the first lost calls. */
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
    // Calls that never ended here are lost too.
    const open = counts.made - counts.answered - counts.refused - counts.cutOff - this.#lost
    return { ...counts, lost: this.#lost + open }
  }
}

/** Reasons that differ only in names and numbers are of one kind. */
const kindOf = (reason: string): string =>
  reason
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\d+(?:\.\d+)?/g, 'N')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 160)
