import type { ToolPolicy } from '../../../shared/settings.ts'
import { carrySources } from '../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { changeInner, without } from './schemas/change-inner.ts'

/** Violated by `[EMAIL_1]`. */
const STRING_DEMANDS = ['format', 'pattern', 'minLength', 'maxLength'] as const
const DEEPEST = 100
/** Keys whose numbers may be a person's, and a few others: more is never stricter. */
const MAY_BE_PERSONAL =
  /phone|tel|mobil|m[o\u00f3]vil|cell|fax|handy|whatsapp|gsm|msisdn|contact|landline|card|kart|cart|pan$|cc|tarjeta|ssn|social|security|tax|steuer|national|ident|passport|passe|pass|birth|dob|geburt|born|naci|nasc|account|acct|konto|compte|cuenta|conta|conto|iban|routing|licen|driver|pin|otp|puk|cv[vc]|csc|pwd|code|pesel|bsn|cpf|nif|dni|tckn|tfn|sin$|aadhaa?r|insurance|versicherung|patient|medical|medicare|[\u0250-\uffff]/iu

/**
 * For clients that see placeholders: they validate results against `outputSchema`, and models fill arguments by
 * `inputSchema`.
 */
export function forPlaceholders(
  definition: JsonObject,
  { masking }: Pick<ToolPolicy, 'masking'>,
): JsonObject {
  const masksNothing = masking.types.length === 0 && Object.keys(masking.customPatterns).length === 0
  if (masking.direction !== 'from-model' || masksNothing) return definition
  const schemas = ['inputSchema', 'outputSchema'].flatMap((key): [string, unknown][] =>
    isJsonObject(definition[key])
      ? [[key, loosenNumbers(loosenStrings(definition[key]), key === 'outputSchema')]]
      : [],
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

/**
 * What is a number may be a placeholder. In results any number, because a header or a name beside it may tell that it is
 * a person's; in arguments those under keys that may.
 */
function loosenNumbers(schema: JsonObject, isAny: boolean, depth = 0): JsonObject {
  if (depth > DEEPEST) return schema
  const { properties } = schema
  const personal = isAny || !isJsonObject(properties) ? undefined : personalIn(properties)
  const own = personal ? carrySources(schema, { ...schema, properties: personal }) : schema
  const loosened = changeInner(own, (inner) => loosenNumbers(inner, isAny, depth + 1))
  return isAny ? orString(loosened) : loosened
}

function personalIn(properties: JsonObject): JsonObject | undefined {
  const entries = Object.entries(properties).map(([key, value]): [string, unknown] => [
    key,
    isJsonObject(value) && MAY_BE_PERSONAL.test(key) ? loosenNumbers(value, true) : value,
  ])
  const isSame = entries.every(([key, value]) => value === properties[key])
  return isSame ? undefined : carrySources(properties, Object.fromEntries(entries))
}

function orString(schema: JsonObject): JsonObject {
  const { type } = schema
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  if (!types.some((each) => each === 'number' || each === 'integer') || types.includes('string'))
    return schema
  return { ...schema, type: [...types, 'string'] }
}
