import { isJsonObject, stringIn, type JsonObject } from '../protocol/json-rpc.ts'

/** A text of a result, with its block's index. */
export interface TextPart {
  readonly index: number
  readonly text: string
  readonly mimeType: string | undefined
}

/** Text blocks and embedded resources, in order. */
export function textParts(content: unknown): TextPart[] {
  const parts: TextPart[] = []
  if (!Array.isArray(content)) return parts
  content.forEach((block: unknown, index) => {
    if (!isJsonObject(block)) return
    const resource = block['type'] === 'resource' ? block['resource'] : undefined
    if (block['type'] === 'text' && typeof block['text'] === 'string') {
      parts.push({ index, text: block['text'], mimeType: undefined })
    } else if (isJsonObject(resource) && typeof resource['text'] === 'string' && !isPage(resource)) {
      parts.push({ index, text: resource['text'], mimeType: stringIn(resource, 'mimeType') || undefined })
    }
  })
  return parts
}

/** `ui://` (MCP Apps) are programs; the session over all servers prefixes the id. */
const isPage = (resource: JsonObject): boolean => /^(?:sluice:[^:]+:)?ui:\/\//.test(stringIn(resource, 'uri'))

export function resourceTexts(contents: unknown): TextPart[] {
  if (!Array.isArray(contents)) return []
  return contents.flatMap((item: unknown, index): TextPart[] =>
    isJsonObject(item) && typeof item['text'] === 'string' && !isPage(item)
      ? [{ index, text: item['text'], mimeType: stringIn(item, 'mimeType') || undefined }]
      : [],
  )
}

export function withText(block: unknown, text: string): unknown {
  if (!isJsonObject(block)) return block
  const resource = block['resource']
  return block['type'] === 'resource' && isJsonObject(resource)
    ? { ...block, resource: { ...resource, text } }
    : { ...block, text }
}
