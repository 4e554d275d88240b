import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { textsIn, type PlacedText } from './texts-in.ts'

/**
 * Every text of a result that a model may come to read, with its place: text blocks, structured content, embedded
 * resources and errors, keys that read like prose, and base64 that turns out to be text. Not the `_meta` of the whole,
 * which clients keep to themselves, and not the payload of pictures and sound.
 */
export function resultTexts(result: JsonObject): PlacedText[] {
  const { _meta, ...shown } = result
  for (const list of ['content', 'contents', 'messages']) {
    const blocks = shown[list]
    if (Array.isArray(blocks)) shown[list] = blocks.map((block: unknown) => withReadablePayload(block))
  }
  return textsIn(shown)
}

/** A prompt's message holds a block, which may hold a resource. */
const DEEPEST = 3

/** A content block, or a prompt's message around one, with its base64 decoded where that is text, and gone elsewhere. */
function withReadablePayload(block: unknown, depth = 1): unknown {
  if (!isJsonObject(block) || depth > DEEPEST) return block
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
