import type { GuardPolicy } from '../../../shared/guard-policy.ts'
import { isNear } from '../work/near.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import type { ControlCharacterMode } from './control-characters.ts'
import { inWords, MARKS, revealValue, type RevealedForm } from './reveal.ts'

export interface RevealedOrigin {
  readonly clientName: string
  readonly serverId: string
  readonly tool: string
}

export interface RevealOptions {
  /** In another thread. */
  readonly revealLarge: (value: JsonObject, mode: ControlCharacterMode) => Promise<RevealedForm>
  readonly keepOriginal: (original: JsonObject, origin: RevealedOrigin) => Promise<string>
}

type Mode = Pick<GuardPolicy, 'controlCharacters'>

/** A note names the original's id. If the original can't be stored, nothing is removed but made visible. */
export function revealResult(
  options: RevealOptions,
  value: JsonObject,
  origin: RevealedOrigin,
  { controlCharacters: mode }: Mode,
  /** If already stored. */
  knownId?: string,
): JsonObject | Promise<JsonObject> {
  if (mode === 'keep') return value
  const reveal = (how: ControlCharacterMode): RevealedForm | Promise<RevealedForm> =>
    isNear('reveal', value) ? revealForm(value, how) : options.revealLarge(value, how)
  const noted = async (revealed: RevealedForm): Promise<JsonObject> => {
    if (!revealed.taken && !revealed.marked) return value
    const id = knownId ?? (await options.keepOriginal(value, origin).catch(() => undefined))
    const form = id === undefined ? await reveal('visualise') : revealed
    return withNote(form.value, noteOn(form, id))
  }
  const revealed = reveal(mode)
  if (revealed instanceof Promise) return revealed.then(noted)
  return revealed.taken || revealed.marked ? noted(revealed) : value
}

/** Parts of a stored original: marks only, nothing removed. */
export function revealExplored(value: JsonObject, { controlCharacters: mode }: Mode): JsonObject {
  if (mode === 'keep') return value
  const form = revealForm(value, 'visualise')
  return form.marked ? withNote(form.value, noteOn(form, undefined)) : value
}

/** Removes only from texts that can carry a note; structured content and other shapes get marks in the text. */
export function revealForm(value: JsonObject, mode: ControlCharacterMode): RevealedForm {
  if (mode === 'keep') return { value, taken: undefined, marked: undefined }
  const { structuredContent } = value
  const rest = structuredContent === undefined ? value : { ...value, structuredContent: undefined }
  const isTakenOut = mode === 'strip' && placeOf(value) !== undefined
  const read = revealValue(rest, isTakenOut ? 'strip' : 'visualise')
  const structured = revealValue(structuredContent, 'visualise')
  if (!read.hidden && !structured.hidden) return { value, taken: undefined, marked: undefined }
  const form = read.value as JsonObject
  return {
    value: structuredContent === undefined ? form : { ...form, structuredContent: structured.value },
    taken: isTakenOut ? read.hidden : undefined,
    // Both halves usually say the same, so one counts.
    marked: isTakenOut ? structured.hidden : (read.hidden ?? structured.hidden),
  }
}

/** Where a note fits. */
const placeOf = (value: JsonObject): 'content' | 'contents' | 'messages' | undefined =>
  (['content', 'contents', 'messages'] as const).find((key) => Array.isArray(value[key]))

function noteOn({ taken, marked }: RevealedForm, id: string | undefined): string {
  const kept = id === undefined ? '' : ` The original is kept, id: ${id}`
  if (!taken) {
    const what = `Sluice put ${MARKS} in the place of what hides text here: ${inWords(marked ?? {})}.`
    return `[${what}${kept === '' ? '' : `${kept}.`}]`
  }
  const inHalf = marked ? `; in structuredContent ${MARKS} are in its place` : ''
  return `[Sluice took out what hides text here: ${inWords(taken)}${inHalf}.${kept}; proxy_read with this id shows it with marks in their places.]`
}

/** As the last text of content, messages or contents; others stay without. */
export function withNote(value: JsonObject, note: string): JsonObject {
  const place = placeOf(value)
  if (place === undefined) return value
  const list = value[place] as unknown[]
  if (place === 'content') return { ...value, content: [...list, { type: 'text', text: note }] }
  if (place === 'messages')
    return { ...value, messages: [...list, { role: 'user', content: { type: 'text', text: note } }] }
  // A resource's reader uses the requested texts only, not an added one.
  const last = list.findLastIndex((item) => isJsonObject(item) && typeof item['text'] === 'string')
  const contents = list.map((item, index) =>
    index === last && isJsonObject(item) ? { ...item, text: `${String(item['text'])}\n${note}` } : item,
  )
  return { ...value, contents }
}
