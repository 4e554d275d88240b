import type { JsonObject } from '../protocol/json-rpc.ts'
import { cleanValue } from './clean-value.ts'
import type { ControlCharacterMode } from './control-characters.ts'

/** What a definition is called by, the first that it has: it must reach the server again letter by letter. */
const HANDLES = ['uri', 'uriTemplate', 'name']

/** A definition without characters that hide something from its reader. The very same object where there are none. */
export function cleanDefinition(definition: JsonObject, mode: ControlCharacterMode): JsonObject {
  const cleaned = cleanValue(definition, mode) as JsonObject
  if (cleaned === definition) return definition
  const handle = HANDLES.find((key) => key in definition)
  return handle === undefined ? cleaned : { ...cleaned, [handle]: definition[handle] }
}
