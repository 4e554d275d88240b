import type { ToolPolicy } from '../../../shared/settings.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { changeInner, without } from './schemas/change-inner.ts'

/** What JSON Schema can demand of a string and `[EMAIL_1]` does not keep. */
const STRING_DEMANDS = ['format', 'pattern', 'minLength', 'maxLength'] as const
const DEEPEST = 100

/**
 * A tool's definition for a client that sees stand-ins in place of personal data: clients check results against
 * `outputSchema`, and models fill in arguments by `inputSchema`.
 */
export function forStandIns(definition: JsonObject, { masking }: Pick<ToolPolicy, 'masking'>): JsonObject {
  const masksNothing = masking.types.length === 0 && Object.keys(masking.customPatterns).length === 0
  if (masking.direction !== 'from-model' || masksNothing) return definition
  const schemas = ['inputSchema', 'outputSchema'].flatMap((key): [string, unknown][] =>
    isJsonObject(definition[key]) ? [[key, loosenStrings(definition[key])]] : [],
  )
  return { ...definition, ...Object.fromEntries(schemas) }
}

/** A schema without what it demands of strings but their values; the same object where it demands nothing. */
export function loosenStrings(schema: JsonObject, depth = 0): JsonObject {
  if (depth > DEEPEST) return schema
  const loosened = changeInner(schema, (inner) => loosenStrings(inner, depth + 1))
  const dropped = STRING_DEMANDS.filter((key) => key in schema && !isJsonObject(schema[key]))
  return dropped.length === 0 ? loosened : without(loosened, dropped)
}
