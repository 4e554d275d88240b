import { isJsonObject, stringIn, type JsonObject } from '../protocol/json-rpc.ts'

/** One text inside a result, with the index of the block that holds it. */
export interface TextPart {
  readonly index: number
  readonly text: string
  readonly mimeType: string | undefined
}

/** The texts of a `tools/call` result: text blocks and the texts of embedded resources, in their order. */
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

/** User interfaces (`ui://`, MCP Apps) are programs, not reading matter; in front of all servers the id comes first. */
const isPage = (resource: JsonObject): boolean => /^(?:sluice:[^:]+:)?ui:\/\//.test(stringIn(resource, 'uri'))

/** The texts of a `resources/read` result. */
export function resourceTexts(contents: unknown): TextPart[] {
  if (!Array.isArray(contents)) return []
  return contents.flatMap((item: unknown, index): TextPart[] =>
    isJsonObject(item) && typeof item['text'] === 'string' && !isPage(item)
      ? [{ index, text: item['text'], mimeType: stringIn(item, 'mimeType') || undefined }]
      : [],
  )
}

/** The block with its text replaced, everything else of it as it was. */
export function withText(block: unknown, text: string): unknown {
  if (!isJsonObject(block)) return block
  const resource = block['resource']
  return block['type'] === 'resource' && isJsonObject(resource)
    ? { ...block, resource: { ...resource, text } }
    : { ...block, text }
}

/** Names of arguments that say what a call is looking for … */
const telling =
  /^(q|query|queries|question|questions|search|search_?terms?|terms?|text|pattern|regex|keywords?|topics?|filter|find|prompt|goal|title|symbol|selector|subject)$/i
/** … and of those that only say where, which is better than nothing. */
const locating = /^(path|file|file_?path|file_?name|name|uri|url)$/i
const LONGEST_GOAL = 400

/** The weaker goal that a call's own arguments give where the model named none. */
export function goalOfArguments(args: JsonObject | undefined): string | undefined {
  const goal = wordsUnder(args, telling) || wordsUnder(args, locating).replace(/\S*[\\/]/g, '')
  return goal === '' ? undefined : goal
}

function wordsUnder(args: JsonObject | undefined, names: RegExp): string {
  const words = Object.entries(args ?? {}).flatMap(([key, value]) => {
    if (!names.test(key)) return []
    if (typeof value === 'string') return [value]
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
  })
  return words.join(' ').slice(0, LONGEST_GOAL).trim()
}
