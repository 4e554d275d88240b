import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import type { Steps } from '../ground/steps.ts'
import type { TextPart } from './result-parts.ts'
import { type JoinedTexts, joinTexts } from '../text/joined-texts.ts'

/** A text, or adjacent text blocks. */
export interface TextDocument extends JoinedTexts {
  readonly first: number
  readonly parts: readonly TextPart[]
}

const PARTS_OF_STEP = 1_000

/** Joins consecutive text blocks that differ only in texts. */
export function* documentsOf(blocks: readonly unknown[], parts: readonly TextPart[]): Steps<TextDocument[]> {
  // Finding the parts used this turn.
  if (parts.length >= PARTS_OF_STEP) yield
  const documents: TextDocument[] = []
  for (let first = 0; first < parts.length;) {
    let end = first + 1
    while (end < parts.length && goesOn(blocks, parts[end - 1], parts[end]))
      if (++end % PARTS_OF_STEP === 0) yield
    const own = parts.slice(first, end)
    documents.push({ first, parts: own, ...joinTexts(own.map(({ text }) => text)) })
    if (end - first >= PARTS_OF_STEP || documents.length % PARTS_OF_STEP === 0) yield
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
