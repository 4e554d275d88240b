/** Several texts as one, which costs one string to hand to a worker thread and not thousands. */
export interface JoinedTexts {
  /** With a line break between two of them. */
  readonly text: string
  /** Where each of them ends. */
  readonly ends: Uint32Array<ArrayBuffer>
}

export function joinTexts(texts: readonly string[]): JoinedTexts {
  const ends = new Uint32Array(texts.length)
  let end = -1
  texts.forEach((text, index) => (ends[index] = end += text.length + 1))
  return { text: texts.length === 1 ? (texts[0] ?? '') : texts.join('\n'), ends }
}

/** The texts again, one after the other. */
export function* textsOf({ text, ends }: JoinedTexts): Generator<string> {
  if (ends.length === 1) yield text
  else
    for (const [index, end] of ends.entries())
      yield text.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end)
}
