import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { slimSchema } from './slim-schema.ts'
import { slimWords } from './slim-words.ts'

/**
 * Output schema and annotations stay: clients check them and models seldom see them. A parameter with the name and
 * description of an earlier tool's is described only there; `heard` records them.
 */
export function slimTool(definition: JsonObject, listed: Set<string>): JsonObject {
  const { description, inputSchema: schema } = definition
  const words = typeof description === 'string' ? slimWords(description) : description
  const slim = isJsonObject(schema)
    ? slimSchema(schema, [String(definition['name']), typeof words === 'string' ? words : ''], listed)
    : schema
  if (words === description && slim === schema) return definition
  return {
    ...definition,
    ...(words === undefined ? {} : { description: words }),
    ...(slim === undefined ? {} : { inputSchema: slim }),
  }
}
