import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { slimSchema } from './slim-schema.ts'
import { slimWords } from './slim-words.ts'

/**
 * Output schema and annotations stay: clients check them and models seldom see them. A parameter with the name and
 * description of an earlier tool's is described only there; `heard` records them.
 */
export function slimTool(definition: JsonObject, heard: Set<string>): JsonObject {
  const { description, inputSchema: schema } = definition
  const said = typeof description === 'string' ? slimWords(description) : description
  const slim = isJsonObject(schema)
    ? slimSchema(schema, [String(definition['name']), typeof said === 'string' ? said : ''], heard)
    : schema
  if (said === description && slim === schema) return definition
  return {
    ...definition,
    ...(said === undefined ? {} : { description: said }),
    ...(slim === undefined ? {} : { inputSchema: slim }),
  }
}
