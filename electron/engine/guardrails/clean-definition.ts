import type { JsonObject } from '../protocol/json-rpc.ts'
import { cleanValue } from './clean-value.ts'
import type { ControlCharacterMode } from './control-characters.ts'

/** What a definition is called by: it must reach the server again letter by letter. */
const HANDLES = ['name', 'uri', 'uriTemplate']

/** A definition without characters that hide something from its reader. The very same object where there are none. */
export function cleanDefinition(definition: JsonObject, mode: ControlCharacterMode): JsonObject {
  const cleaned = cleanValue(definition, mode) as JsonObject
  if (cleaned === definition) return definition
  const handles = HANDLES.filter((key) => key in definition).map((key) => [key, definition[key]] as const)
  return { ...cleaned, ...Object.fromEntries(handles) }
}
