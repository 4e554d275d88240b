import { saysTheSame, stringifyExact } from '../protocol/exact-json.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'

interface TextPart {
  readonly type: 'text'
  /** Structured content follows the last. */
  readonly index: number
  readonly text: string
  readonly mime: string | undefined
  readonly from: 'content' | 'structuredContent'
}

/** Stored and named, not explored. */
interface OtherPart {
  readonly type: 'other'
  readonly index: number
  /** 'image', 'audio', 'resource_link', 'blob', ... */
  readonly contentType: string
  readonly mime: string | undefined
}

export type ResultPart = TextPart | OtherPart

/**
 * Of `tools/call` (content), `resources/read` (contents) or `prompts/get` (messages), in order. Structured content is
 * a further part, unless a text part repeats it.
 */
export function resultParts(result: JsonObject): readonly ResultPart[] {
  const items = itemsOf(result)
  const parts = items.map((item, index) => partOf(item, index))
  const structured = result['structuredContent']
  if (structured === undefined) return parts
  const text = stringifyExact(structured)
  const isRepeated = parts.some(
    (part) => part.type === 'text' && (wraps(structured, part.text) || isSame(part.text, text)),
  )
  if (isRepeated) return parts
  return [
    ...parts,
    { type: 'text', index: items.length, text, mime: 'application/json', from: 'structuredContent' },
  ]
}

function itemsOf(result: JsonObject): readonly unknown[] {
  if (Array.isArray(result['content'])) return result['content']
  if (Array.isArray(result['contents'])) return result['contents']
  if (Array.isArray(result['messages'])) {
    return result['messages'].map((message: unknown) =>
      isJsonObject(message) ? message['content'] : undefined,
    )
  }
  return []
}

function partOf(item: unknown, index: number): ResultPart {
  if (!isJsonObject(item)) return { type: 'other', index, contentType: 'unknown', mime: undefined }
  // An embedded resource's text is one level down.
  const carrier = isJsonObject(item['resource']) ? item['resource'] : item
  // User interfaces are programs: never shortened.
  const isInterface =
    typeof carrier['uri'] === 'string' &&
    /^(?:sluice:[^:]+:)?ui:\/\//.test(carrier['uri']) &&
    carrier === item
  const mime = typeof carrier['mimeType'] === 'string' ? carrier['mimeType'] : undefined
  if (typeof carrier['text'] === 'string' && !isInterface) {
    return { type: 'text', index, text: carrier['text'], mime, from: 'content' }
  }
  const named = typeof item['type'] === 'string' ? item['type'] : undefined
  return { type: 'other', index, contentType: named ?? ('blob' in carrier ? 'blob' : 'unknown'), mime }
}

/** Many servers repeat a text as an object's only field, for an output schema. */
function wraps(structured: unknown, text: string): boolean {
  if (!isJsonObject(structured)) return false
  const [only, ...others] = Object.values(structured)
  return only === text && others.length === 0
}

const isSame = (text: string, json: string): boolean =>
  text === json || (/^\s*[[{]/.test(text) && saysTheSame(json, text))
