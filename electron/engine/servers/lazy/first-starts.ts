/** Longer than a program needs to say what it offers; well below the ten seconds that a client gives a server. */
const WAIT_MS = 3_000

/** One start of a program: resolves when it has said what it offers. */
export interface FirstStart {
  ready(): void
  failed(): void
}

/**
 * Starts that decide whether a program is started with its client: thirty clients that come at once need no more of
 * them than thirty that come one by one. By launch, client and folder.
 */
export class FirstStarts {
  readonly #waitMs: number
  readonly #underWay = new Map<string, Set<Promise<void>>>()
  /** Waiting was in vain: the program failed, was slow, or offers something else at each start. */
  readonly #inVain = new Set<string>()

  constructor(waitMs = WAIT_MS) {
    this.#waitMs = waitMs
  }

  /** Undefined if fewer than `wanted` are under way, or if waiting for them is in vain. */
  ahead(key: string, wanted: number): Promise<void> | undefined {
    const starts = this.#underWay.get(key)
    if (starts === undefined || starts.size < wanted || this.#inVain.has(key)) return undefined
    return inTime(Promise.all(starts), this.#waitMs)
  }

  /** Until `said` or `failed`, of which the first counts. */
  begin(key: string): FirstStart {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    promise.catch(() => {})
    const starts = this.#underWay.get(key) ?? new Set()
    this.#underWay.set(key, starts.add(promise))
    const end = (settle: () => void): void => {
      settle()
      starts.delete(promise)
      if (starts.size === 0 && this.#underWay.get(key) === starts) this.#underWay.delete(key)
    }
    return { ready: () => end(resolve), failed: () => end(() => reject(new Error('It did not start.'))) }
  }

  waitedInVain(key: string): void {
    this.#inVain.add(key)
  }
}

/** Whatever becomes of it. */
async function inTime(starts: Promise<unknown>, waitMs: number): Promise<void> {
  const limit = Promise.withResolvers<void>()
  const timer = setTimeout(() => limit.resolve(), waitMs)
  try {
    await Promise.race([starts, limit.promise])
  } catch {
    // The next start tells why.
  } finally {
    clearTimeout(timer)
  }
}
