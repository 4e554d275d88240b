interface Owner<Job> {
  /** From `head`; some were removed. */
  jobs: Job[]
  head: number
  waiting: number
}

/** Finished places before trimming an owner's list. */
const CUT_FROM = 1000

/** Each owner's jobs in order, owners by turns. Constant time per job. */
export class JobQueue<Job extends { readonly turn: string }> {
  /** Next owner first. */
  readonly #owners = new Map<string, Owner<Job>>()
  readonly #waiting = new Set<Job>()
  /** Waits for another owner's job, even if none waited then. */
  #lastTurn: string | undefined

  get first(): Job | undefined {
    let first: Owner<Job> | undefined
    for (const [turn, owner] of this.#owners) {
      first ??= owner
      if (turn === this.#lastTurn) continue
      first = owner
      break
    }
    return first && this.#firstOf(first)
  }

  waitingOf(turn: string): number {
    return this.#owners.get(turn)?.waiting ?? 0
  }

  add(job: Job): void {
    this.#waiting.add(job)
    const owner = this.#owners.get(job.turn)
    if (owner) {
      owner.jobs.push(job)
      owner.waiting++
    } else this.#owners.set(job.turn, { jobs: [job], head: 0, waiting: 1 })
  }

  /** Its owner's following job comes after one of every other owner. */
  next(): Job | undefined {
    const job = this.first
    if (!job) return undefined
    this.#lastTurn = job.turn
    this.remove(job)
    const owner = this.#owners.get(job.turn)
    if (owner && this.#owners.delete(job.turn)) this.#owners.set(job.turn, owner)
    return job
  }

  remove(job: Job): boolean {
    const owner = this.#owners.get(job.turn)
    if (!owner || !this.#waiting.delete(job)) return false
    owner.waiting--
    if (owner.waiting === 0) this.#owners.delete(job.turn)
    return true
  }

  takeAll(): Job[] {
    const all = [...this.#waiting]
    this.#waiting.clear()
    this.#owners.clear()
    return all
  }

  #firstOf(owner: Owner<Job>): Job | undefined {
    for (; owner.head < owner.jobs.length; owner.head++) {
      const job = owner.jobs[owner.head]
      if (job && this.#waiting.has(job)) break
    }
    if (owner.head >= CUT_FROM && owner.head > owner.jobs.length / 2) {
      owner.jobs.splice(0, owner.head)
      owner.head = 0
    }
    return owner.jobs[owner.head]
  }
}
