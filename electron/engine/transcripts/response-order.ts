import type { TranscriptEvent } from './transcript.ts'

/**
 * Apps write the usage of a response before, among or after its parts. Holds the parts until the usage is there, so
 * that the request comes first.
 */
export class ResponseOrder {
  #held: TranscriptEvent[] = []
  #isAnswering = false
  /** The usage came before the parts. */
  #isBooked = false;

  /** An answer or a call of the model. */
  *part(event: TranscriptEvent): Generator<TranscriptEvent> {
    if (this.#isBooked) yield event
    else {
      this.#isAnswering = true
      this.#held.push(event)
    }
  }

  *request(event: TranscriptEvent): Generator<TranscriptEvent> {
    yield event
    this.#isBooked = !this.#isAnswering
    yield* this.#release()
  }

  /** What isn't the model's: results, other texts. */
  *other(event: TranscriptEvent): Generator<TranscriptEvent> {
    if (this.#isAnswering) this.#held.push(event)
    else {
      this.#isBooked = false
      yield event
    }
  }

  /** A prompt or the end: a response without usage has failed or was cancelled. */
  *close(): Generator<TranscriptEvent> {
    this.#isBooked = false
    yield* this.#release()
  }

  *#release(): Generator<TranscriptEvent> {
    const held = this.#held
    this.#held = []
    this.#isAnswering = false
    yield* held
  }
}
