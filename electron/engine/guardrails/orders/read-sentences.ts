import { codesOf } from '../text-codes.ts'
import { addStructureMarks } from './add-structure-marks.ts'
import { cutSentences, type Sentence } from './sentences.ts'
import type { WordClasses } from './word-classes.ts'

/** The sentences of a text, with what is only found out for some of them. */
export interface SentenceReading {
  readonly text: string
  readonly sentences: readonly Sentence[]
  readonly trail: SentenceTrail
  /** By sentence: its marks without those of the text's structure. */
  readonly marks: Uint32Array
  /** By sentence: the marks of a closer look, and what its wordings say; NaN: not known yet. */
  readonly closer: Float64Array
  readonly wordings: Float64Array
}

/**
 * For a text that is read again in another spelling, as without its invisible characters: what both share is taken
 * from the first reading. `like` is that one; the answer is the same as without it.
 */
export function readSentences(text: string, classes: WordClasses, like?: SentenceReading): SentenceReading {
  const trail = new SentenceTrail(text, like)
  const sentences = cutSentences(text, classes, trail)
  const marks = Uint32Array.from(sentences, (sentence) => sentence.marks)
  const closer = new Float64Array(sentences.length).fill(Number.NaN)
  const wordings = new Float64Array(sentences.length).fill(Number.NaN)
  if (like)
    for (const { from, to, at } of trail.taken) {
      closer.set(like.closer.subarray(from, to), at)
      wordings.set(like.wordings.subarray(from, to), at)
    }
  addStructureMarks(sentences, text)
  return { text, sentences, trail, marks, closer, wordings }
}

/** Between two places that are remembered, in characters. */
const STEP = 64
/** Characters before a sentence that may decide about it, and behind its end. */
const BEFORE = 32
const BEHIND = 8
/** Beyond it a line's length makes no difference. */
const LONG_LINE = 60
const MOST_TRIED = 12
/** Sentences without one that both texts have: then the texts are different ones. */
const MOST_MISSED = 100
const SIZE = 3

/** Places between the sentences of a text, and the way along those of another one. */
class SentenceTrail {
  place = 0
  sinceLine = 0
  isFenced = false
  /** Sentences that were taken over: their numbers there, and the first one's here. */
  readonly taken: { readonly from: number; readonly to: number; readonly at: number }[] = []
  readonly #text: string
  #like: SentenceReading | undefined
  #missed = 0
  /** Of each place: where it is, how many sentences are before it, and its state. */
  #stops = new Int32Array(SIZE * 64)
  #count = 0
  #last = -STEP
  /** The next stop of the other text, and how much further this text is. */
  #next = 0
  #shift = 0

  constructor(text: string, like: SentenceReading | undefined) {
    this.#text = text
    this.#like = like
  }

  /** A sentence ends at `place`. Takes over those that follow, as far as both texts are the same. */
  reach(place: number, sentences: Sentence[], sinceLine: number, isFenced: boolean): void {
    this.place = place
    const state = (Math.min(sinceLine, LONG_LINE) << 1) | (isFenced ? 1 : 0)
    this.#remember(place, sentences.length, state)
    if (this.#like) this.#follow(this.#like, sentences, state)
  }

  #remember(place: number, count: number, state: number): void {
    if (place - this.#last < STEP) return
    this.#last = place
    const at = this.#count++ * SIZE
    if (at === this.#stops.length) {
      const longer = new Int32Array(this.#stops.length * 2)
      longer.set(this.#stops)
      this.#stops = longer
    }
    this.#stops[at] = place
    this.#stops[at + 1] = count
    this.#stops[at + 2] = state
  }

  #follow(like: SentenceReading, sentences: Sentence[], state: number): void {
    const known = like.trail
    const stops = known.#stops
    const expected = this.place - this.#shift - STEP
    while (this.#next < known.#count && (stops[this.#next * SIZE] ?? 0) < expected) this.#next++
    const most = Math.min(known.#count, this.#next + MOST_TRIED)
    for (let stop = this.#next; stop < most; stop++) {
      const from = stops[stop * SIZE] ?? 0
      if (stops[stop * SIZE + 2] !== state || !this.#isSameBefore(like.text, from)) continue
      const end = from + this.#sameFrom(like.text, from) - BEHIND
      let last = stop
      while (last + 1 < known.#count && (stops[(last + 1) * SIZE] ?? 0) <= end) last++
      if (last === stop) continue
      this.#take(like, sentences, stop, last)
      this.#missed = 0
      return
    }
    if (++this.#missed > MOST_MISSED) this.#like = undefined
  }

  #isSameBefore(text: string, from: number): boolean {
    const codes = codesOf(this.#text)
    const most = Math.min(BEFORE, Math.max(from, this.place))
    for (let i = 1; i <= most; i++)
      if (from < i || this.place < i || text.charCodeAt(from - i) !== codes[this.place - i]) return false
    return true
  }

  #sameFrom(text: string, from: number): number {
    const codes = codesOf(this.#text)
    const { place } = this
    const most = Math.min(text.length - from, this.#text.length - place)
    let size = 0
    while (size < most && text.charCodeAt(from + size) === codes[place + size]) size++
    return size
  }

  #take(like: SentenceReading, to: Sentence[], stop: number, last: number): void {
    const stops = like.trail.#stops
    const first = stops[stop * SIZE + 1] ?? 0
    const end = stops[last * SIZE + 1] ?? 0
    const shift = this.place - (stops[stop * SIZE] ?? 0)
    const at = to.length
    for (let i = first; i < end; i++) {
      const sentence = like.sentences[i]
      if (sentence)
        to.push({
          start: sentence.start + shift,
          end: sentence.end + shift,
          classes: sentence.classes,
          marks: like.marks[i] ?? 0,
          signs: sentence.signs,
        })
    }
    this.taken.push({ from: first, to: end, at })
    for (let i = stop + 1; i <= last; i++)
      this.#remember(
        (stops[i * SIZE] ?? 0) + shift,
        at + (stops[i * SIZE + 1] ?? 0) - first,
        stops[i * SIZE + 2] ?? 0,
      )
    this.place = (stops[last * SIZE] ?? 0) + shift
    const state = stops[last * SIZE + 2] ?? 0
    this.sinceLine = state >> 1
    this.isFenced = (state & 1) === 1
    this.#next = last
    this.#shift = shift
  }
}
