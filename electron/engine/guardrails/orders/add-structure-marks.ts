import { markBit } from './marks.ts'
import { structureMarks } from './structure-marks.ts'

interface Marked {
  readonly start: number
  readonly end: number
  marks: number
}

/** From a mark to the sentence that it introduces. */
const REACH = 12

/** A mark belongs to the sentences that it touches. */
export function addStructureMarks(sentences: readonly Marked[], text: string): void {
  for (const { mark, start, end } of structureMarks(text)) {
    let index = firstAfter(sentences, start - 2)
    for (; (sentences[index]?.start ?? Infinity) <= end + REACH; index++) {
      const sentence = sentences[index]
      if (sentence) sentence.marks = (sentence.marks | markBit(mark)) >>> 0
    }
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
