import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'

/** Properties of a block besides its content. */
export function marksOf(block: unknown): JsonObject {
  const marks: JsonObject = {}
  if (isJsonObject(block))
    for (const key of ['annotations', '_meta']) if (block[key] !== undefined) marks[key] = block[key]
  return marks
}

/** Only the audience: the user alone or the model alone; nothing when for both. */
export function audienceOf(block: unknown): JsonObject {
  const annotations = isJsonObject(block) ? block['annotations'] : undefined
  const audience: unknown = isJsonObject(annotations) ? annotations['audience'] : undefined
  if (!Array.isArray(audience)) return {}
  const [isForUser, isForModel] = [audience.includes('user'), audience.includes('assistant')]
  if (isForUser === isForModel) return {}
  return { annotations: { audience: [isForUser ? 'user' : 'assistant'] } }
}
