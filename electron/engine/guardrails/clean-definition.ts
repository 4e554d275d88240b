import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ControlCharacterMode } from './control-characters.ts'
import { inWords, MARKS, revealValue, type HiddenCounts } from './reveal.ts'

/** Must reach the server unchanged. */
const HANDLES = ['uri', 'uriTemplate', 'name']

/**
 * Removes or marks what hides text, and says so in the description or instructions. Returns the same object where
 * nothing hides.
 */
export function cleanDefinition(definition: JsonObject, mode: ControlCharacterMode): JsonObject {
  const handle = HANDLES.find((key) => key in definition)
  const { value, hidden } = revealValue(
    handle === undefined ? definition : { ...definition, [handle]: undefined },
    mode,
  )
  if (!hidden) return definition
  const cleaned = {
    ...(value as JsonObject),
    ...(handle === undefined ? {} : { [handle]: definition[handle] }),
  }
  const place = handle === undefined ? 'instructions' : 'description'
  const before = cleaned[place]
  return { ...cleaned, [place]: `${typeof before === 'string' ? `${before}\n` : ''}${noteOn(hidden, mode)}` }
}

const noteOn = (hidden: HiddenCounts, mode: ControlCharacterMode): string =>
  mode === 'visualise'
    ? `[Sluice put ${MARKS} in the place of what hides text here: ${inWords(hidden)}.]`
    : `[Sluice took out what hides text here: ${inWords(hidden)}. "sluice review --approved" shows the user the original.]`
