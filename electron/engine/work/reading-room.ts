import { SMALL_JOB } from './lanes.ts'

/** Of answers that are being read or wait for the worker that parses them. */
const MOST_BYTES = 8_000_000
/** A server that stops inside an answer doesn't hold up the others. */
const STALL_MS = 500

export interface ReadingRoomOptions {
  readonly mostBytes?: number
  readonly stallMs?: number
}

/**
 * Large answers of all servers together: what doesn't fit stays in its server's pipe. The first reader goes on while
 * nothing is parsed, so that an answer larger than the room passes, too. Small answers need no room.
 */
export class ReadingRoom {
  readonly #mostBytes: number
  readonly #stallMs: number
  /** Oldest first. */
  readonly #places = new Set<Place>()
  #stallTimer: NodeJS.Timeout | undefined

  constructor({ mostBytes = MOST_BYTES, stallMs = STALL_MS }: ReadingRoomOptions = {}) {
    this.#mostBytes = mostBytes
    this.#stallMs = stallMs
  }

  /** Of one stream. */
  place(): Place {
    return new Place((changed) => {
      if (changed.bytes > 0) this.#places.add(changed)
      else this.#places.delete(changed)
      this.#wake()
    })
  }

  #wake(): void {
    const places = [...this.#places]
    const hasRoom = places.reduce((sum, { bytes }) => sum + bytes, 0) < this.#mostBytes
    const isParsing = places.some((place) => place.isParsing)
    const first = isParsing ? undefined : places.find((place) => !place.isParsing && !place.isStalled)
    for (const place of places) {
      if (hasRoom || place === first || place.isParsing) place.goOn()
      else place.wait()
    }
    this.#watchStall(first !== undefined && places.some(({ isWaiting }) => isWaiting))
  }

  #watchStall(isNeeded: boolean): void {
    if (!isNeeded) {
      clearTimeout(this.#stallTimer)
      this.#stallTimer = undefined
    } else this.#stallTimer ??= setTimeout(() => this.#passStalled(), this.#stallMs).unref()
  }

  #passStalled(): void {
    this.#stallTimer = undefined
    const before = performance.now() - this.#stallMs
    for (const place of this.#places)
      if (!place.isParsing && !place.isWaiting && place.grewAt <= before) place.isStalled = true
    this.#wake()
  }
}

/** What one stream has in memory. */
export class Place {
  bytes = 0
  isParsing = false
  isStalled = false
  grewAt = 0
  /** Resolves when the stream may be read on. */
  waiting: Promise<void> | undefined
  readonly #onChange: (place: Place) => void
  #goOn: (() => void) | undefined
  #hasLeft = false

  constructor(onChange: (place: Place) => void) {
    this.#onChange = onChange
  }

  get isWaiting(): boolean {
    return this.waiting !== undefined
  }

  /** Of an unfinished answer. Undefined: read on; else wait first. */
  read(bytes: number): Promise<void> | undefined {
    if (bytes > SMALL_JOB || this.bytes > 0) this.#change(bytes, false)
    return this.waiting
  }

  /** Until the next `read`. */
  parse(bytes: number): void {
    this.#change(bytes, true)
  }

  /** At the stream's end, or when it isn't wanted any more. Ends a wait; nothing counts later. */
  leave(): void {
    if (this.bytes > 0) this.#change(0, false)
    this.#hasLeft = true
  }

  wait(): void {
    this.waiting ??= new Promise((resolve) => (this.#goOn = resolve))
  }

  goOn(): void {
    if (!this.#goOn) return
    this.#goOn()
    this.waiting = this.#goOn = undefined
    // What waited has not stalled.
    this.grewAt = performance.now()
  }

  #change(bytes: number, isParsing: boolean): void {
    if (this.#hasLeft) return
    this.bytes = bytes > SMALL_JOB ? bytes : 0
    this.isParsing = isParsing && this.bytes > 0
    this.isStalled = false
    this.grewAt = performance.now()
    if (this.bytes === 0) this.goOn()
    this.#onChange(this)
  }
}
