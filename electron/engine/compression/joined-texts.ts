import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import type { TextPart } from './result-parts.ts'

/** Several texts as one, which costs one string to hand to a worker thread and not thousands. */
export interface JoinedTexts {
  /** With a line break between two of them. */
  readonly text: string
  /** Where each of them ends. */
  readonly ends: Uint32Array<ArrayBuffer>
}

/** What is shortened as one: a text, or neighbouring text blocks. */
export interface TextDocument extends JoinedTexts {
  /** Its first part's place among the texts of the result. */
  readonly first: number
  readonly parts: readonly TextPart[]
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

/** The parts of a result as documents: text blocks that follow each other, and differ in nothing but their texts, are one. */
export function documentsOf(blocks: readonly unknown[], parts: readonly TextPart[]): TextDocument[] {
  const documents: TextDocument[] = []
  for (let first = 0; first < parts.length;) {
    let end = first + 1
    while (end < parts.length && goesOn(blocks, parts[end - 1], parts[end])) end++
    const own = parts.slice(first, end)
    documents.push({ first, parts: own, ...joinTexts(own.map(({ text }) => text)) })
    first = end
  }
  return documents
}

function goesOn(
  blocks: readonly unknown[],
  before: TextPart | undefined,
  part: TextPart | undefined,
): boolean {
  if (!before || part?.index !== before.index + 1) return false
  const [one, other] = [blocks[before.index], blocks[part.index]]
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  if (one['type'] !== 'text' || other['type'] !== 'text') return false
  return isBare(one) && isBare(other) ? true : envelopeOf(one) === envelopeOf(other)
}

/** Nothing but the type and the text. */
const isBare = (block: JsonObject): boolean => {
  for (const key in block) if (key !== 'type' && key !== 'text') return false
  return true
}

const envelopeOf = (block: JsonObject): string =>
  JSON.stringify(
    Object.entries(block)
      .filter(([key]) => key !== 'text')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
