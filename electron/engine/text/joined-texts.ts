/** One string instead of thousands to pass to a worker thread. */
export interface JoinedTexts {
  /** Separated by line breaks. */
  readonly text: string
  readonly ends: Uint32Array<ArrayBuffer>
}

export function joinTexts(texts: readonly string[]): JoinedTexts {
  const ends = new Uint32Array(texts.length)
  let end = -1
  texts.forEach((text, index) => (ends[index] = end += text.length + 1))
  return { text: texts.length === 1 ? (texts[0] ?? '') : texts.join('\n'), ends }
}

export function* textsOf({ text, ends }: JoinedTexts): Generator<string> {
  if (ends.length === 1) yield text
  else
    for (const [index, end] of ends.entries())
      yield text.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end)
}
