import { setTimeout as wait } from 'node:timers/promises'
import { SluiceError } from '../errors.ts'

/** Retry interval. */
const TRIED_EVERY_MS = 25
/** Rows of calls come in batches: this many writes are hours of work. */
const MOST_WAITING = 10_000
/** Per turn. */
const TURN_MS = 20
const DEFAULT_PATIENCE_MS = 500

export interface WriteOptions {
  /** Since the lock first blocked. Default: 500 ms. */
  readonly patienceMs?: number | undefined
}

interface Waiting {
  /** False while locked. */
  readonly attempt: () => boolean
  readonly giveUp: (error: SluiceError) => void
  /** `performance.now` */
  readonly deadline: number
}

/** At once if possible; while another process has the lock, in order without blocking the thread. */
export class WriteQueue {
  readonly #name: string
  readonly #isBusy: (error: unknown) => boolean
  #waiting: Waiting[] = []
  #lockedSince: number | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(name: string, isBusy: (error: unknown) => boolean) {
    this.#name = name
    this.#isBusy = isBusy
  }

  /** Rejects with DATABASE_LOCKED after the patience, or with `work`'s error. */
  run<T>(work: () => T, { patienceMs = DEFAULT_PATIENCE_MS }: WriteOptions = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error(`${this.#name} is closed`))
      const attempt = (): boolean => {
        try {
          resolve(work())
        } catch (error) {
          if (this.#isBusy(error)) return false
          reject(error)
        }
        return true
      }
      if (this.#waiting.length === 0 && attempt()) return this.#freed()
      this.#lockedSince ??= performance.now()
      const deadline = this.#lockedSince + patienceMs
      if (this.#waiting.length >= MOST_WAITING || performance.now() >= deadline)
        return reject(locked(this.#name))
      this.#waiting.push({ attempt, giveUp: reject, deadline })
      this.#tryLater()
    })
  }

  /** After `patienceMs`, rejects pending writes. */
  async settle(patienceMs: number): Promise<void> {
    const end = performance.now() + patienceMs
    this.#tryAgain()
    while (this.#waiting.length > 0 && performance.now() < end) {
      await wait(TRIED_EVERY_MS)
      this.#tryAgain()
    }
    for (const { giveUp } of this.#waiting.splice(0)) giveUp(locked(this.#name))
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const { giveUp } of this.#waiting.splice(0)) giveUp(locked(this.#name))
  }

  #tryLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#tryAgain()
    }, TRIED_EVERY_MS).unref()
  }

  #tryAgain(): void {
    const started = performance.now()
    let next = this.#waiting[0]
    while (next && performance.now() - started < TURN_MS && next.attempt()) {
      this.#waiting.shift()
      next = this.#waiting[0]
    }
    if (!next) return this.#freed()
    const now = performance.now()
    const late = this.#waiting.filter(({ deadline }) => deadline <= now)
    if (late.length > 0) this.#waiting = this.#waiting.filter(({ deadline }) => deadline > now)
    for (const { giveUp } of late) giveUp(locked(this.#name))
    if (this.#waiting.length > 0) this.#tryLater()
  }

  #freed(): void {
    this.#lockedSince = undefined
  }
}

export const locked = (name: string, cause?: unknown): SluiceError =>
  new SluiceError(
    'DATABASE_LOCKED',
    `${name} could not be written: another program holds its lock. Close the program that has it open, then try again.`,
    { cause },
  )
