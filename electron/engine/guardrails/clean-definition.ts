import type { JsonObject } from '../protocol/json-rpc.ts'
import { cleanValue } from './clean-value.ts'
import type { ControlCharacterMode } from './control-characters.ts'

/** Identifying fields, which must reach the server unchanged. */
const HANDLES = ['uri', 'uriTemplate', 'name']

/** A definition without hiding characters. The same object if it has none. */
export function cleanDefinition(definition: JsonObject, mode: ControlCharacterMode): JsonObject {
  const cleaned = cleanValue(definition, mode) as JsonObject
  if (cleaned === definition) return definition
  const handle = HANDLES.find((key) => key in definition)
  return handle === undefined ? cleaned : { ...cleaned, [handle]: definition[handle] }
}
