import { markBit } from './marks.ts'
import { bitOf } from './word-classes.ts'
import { structureMarks } from './structure-marks.ts'

interface Marked {
  readonly classes: number
  readonly start: number
  readonly end: number
  marks: number
}

/** From a mark to the sentence that it introduces. */
const REACH = 12

/** A mark belongs to the sentences that it touches. */
export function addStructureMarks(sentences: readonly Marked[], text: string): void {
  addAddressed(sentences)
  for (const { mark, start, end } of structureMarks(text)) {
    let index = firstAfter(sentences, start - 2)
    for (; (sentences[index]?.start ?? Infinity) <= end + REACH; index++) {
      const sentence = sentences[index]
      if (sentence) sentence.marks = (sentence.marks | markBit(mark)) >>> 0
    }
  }
}

const CALLED = markBit('called')
const ADDRESSED = markBit('addressed')
const MODEL = bitOf('model')
const SPOKEN_TO = bitOf('you') | bitOf('reader')
/** Sentences and characters behind one that speaks to a model. */
const FOLLOWING = 4
const FAR = 500

/** Who is spoken to in one sentence is spoken to in the next ones. */
function addAddressed(sentences: readonly Marked[]): void {
  let left = 0
  let end = 0
  for (const sentence of sentences) {
    const { marks, classes, start } = sentence
    if (left > 0 && start - end <= FAR) {
      sentence.marks = (sentence.marks | ADDRESSED) >>> 0
      left--
    } else left = 0
    const isCall = (marks & CALLED) !== 0 || ((classes & MODEL) !== 0 && (classes & SPOKEN_TO) !== 0)
    if (!isCall) continue
    left = FOLLOWING
    end = sentence.end
  }
}

/** The first sentence that ends at this place or later. */
function firstAfter(sentences: readonly Marked[], place: number): number {
  let low = 0
  let high = sentences.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sentences[middle]?.end ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}
