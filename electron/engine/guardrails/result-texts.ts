import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { textsIn, type PlacedText } from './texts-in.ts'

/**
 * Every text of a result that a model may come to read, with its place: text blocks, structured content, embedded
 * resources, errors and `_meta`, keys that read like prose, and base64 that turns out to be text. Not the payload of
 * pictures and sound.
 */
export function resultTexts(result: JsonObject): PlacedText[] {
  const shown = { ...result }
  for (const list of BLOCK_LISTS) {
    const blocks = shown[list]
    if (Array.isArray(blocks)) shown[list] = blocks.map((block: unknown) => withReadablePayload(block))
  }
  return [...textsIn(shown), ...acrossBlocks(shown['content'])]
}

const BLOCK_LISTS = ['content', 'contents', 'messages']
const JOINED = '/content (joined)'

/** The texts as a person wants to read them: blocks joined only where nothing else shows why the result was kept back. */
export function textsToShow(
  result: JsonObject,
  findings: readonly { readonly path?: string; readonly score: number }[],
): PlacedText[] {
  const isShown = findings.some(({ path, score }) => path !== JOINED && score >= SHOWS_WHY)
  return resultTexts(result).filter(({ path }) => path !== JOINED || !isShown)
}

const SHOWS_WHY = 0.5
/** So far from the end of a text block the next one may complete what it began. */
const REACH = 300

/**
 * What stands around the ends of neighbouring text blocks, as clients join them: an order may be cut into blocks of which
 * none says anything by itself. Twice the text at the most.
 */
function acrossBlocks(content: unknown): PlacedText[] {
  if (!Array.isArray(content) || content.length < 2) return []
  const blocks = content.flatMap((block: unknown) =>
    isJsonObject(block) && block['type'] === 'text' && typeof block['text'] === 'string'
      ? [block['text']]
      : [],
  )
  if (blocks.length < 2) return []
  const pieces = blocks.map((text, index) => {
    const [isFirst, isLast] = [index === 0, index === blocks.length - 1]
    if (text.length <= 2 * REACH && !isFirst && !isLast) return text
    const [head, tail] = [isFirst ? '' : text.slice(0, REACH), isLast ? '' : text.slice(-REACH)]
    return isFirst || isLast ? head + tail : `${head}\n\n…\n\n${tail}`
  })
  return [{ path: JOINED, text: pieces.join('\n') }]
}

/** A prompt's message holds a block, which may hold a resource. */
const DEEPEST = 3

/** A content block, or a prompt's message around one, with its base64 decoded where that is text, and gone elsewhere. */
function withReadablePayload(block: unknown, depth = 1): unknown {
  if (!isJsonObject(block) || depth > DEEPEST) return block
  if (!('data' in block || 'blob' in block || 'resource' in block || 'content' in block)) return block
  const { data, blob, ...readable } = block
  for (const [key, payload] of Object.entries({ data, blob })) {
    const text = readablePayload(payload, block['mimeType'])
    if (text !== undefined) readable[key] = text
  }
  for (const inner of ['resource', 'content']) {
    if (inner in readable) readable[inner] = withReadablePayload(readable[inner], depth + 1)
  }
  return readable
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/
const MEDIA = /^(?:image\/(?!svg)|audio\/|video\/|font\/)/i
const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** What is no base64 only pretends to be a payload, and is scanned as it stands. */
function readablePayload(payload: unknown, mimeType: unknown): unknown {
  if (typeof payload !== 'string' || !BASE64.test(payload)) return payload
  if (typeof mimeType === 'string' && MEDIA.test(mimeType)) return undefined
  try {
    const text = strictUtf8.decode(Buffer.from(payload, 'base64'))
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
