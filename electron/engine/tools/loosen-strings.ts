import type { ToolPolicy } from '../../../shared/settings.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { changeInner, without } from './schemas/change-inner.ts'

/** Violated by `[EMAIL_1]`. */
const STRING_DEMANDS = ['format', 'pattern', 'minLength', 'maxLength'] as const
const DEEPEST = 100

/**
 * For clients that see placeholders: they validate results against `outputSchema`, and models fill arguments by
 * `inputSchema`.
 */
export function forStandIns(definition: JsonObject, { masking }: Pick<ToolPolicy, 'masking'>): JsonObject {
  const masksNothing = masking.types.length === 0 && Object.keys(masking.customPatterns).length === 0
  if (masking.direction !== 'from-model' || masksNothing) return definition
  const schemas = ['inputSchema', 'outputSchema'].flatMap((key): [string, unknown][] =>
    isJsonObject(definition[key]) ? [[key, loosenStrings(definition[key])]] : [],
  )
  return { ...definition, ...Object.fromEntries(schemas) }
}

/** Keeps constraints of values; the same object if it has none. */
function loosenStrings(schema: JsonObject, depth = 0): JsonObject {
  if (depth > DEEPEST) return schema
  const loosened = changeInner(schema, (inner) => loosenStrings(inner, depth + 1))
  const dropped = STRING_DEMANDS.filter((key) => key in schema && !isJsonObject(schema[key]))
  return dropped.length === 0 ? loosened : without(loosened, dropped)
}
