import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { slimSchema } from './slim-schema.ts'
import { slimWords } from './slim-words.ts'

/**
 * A tool's definition in fewer tokens, for models: what says the same with less, or says nothing, of its description and
 * input schema. The rest (output schema, annotations) models seldom see, and clients check: it stays. A parameter
 * that an earlier tool of the list has under the same name and description is described there alone; `heard` keeps them.
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
