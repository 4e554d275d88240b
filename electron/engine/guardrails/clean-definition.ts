import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ControlCharacterMode } from './control-characters.ts'
import { inWords, MARKS, revealValue, type HiddenCounts } from './reveal.ts'

/** Identifying fields, which must reach the server unchanged. */
const HANDLES = ['uri', 'uriTemplate', 'name']

/**
 * A definition or an introduction without what hides text from its reader, or with marks in its place. Its description, or
 * the instructions, say so. Everything else passes as it came: the same object where nothing hides.
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
