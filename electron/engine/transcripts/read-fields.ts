import { isJsonObject, stringIn, type JsonObject } from '../protocol/json-rpc.ts'

export const objectIn = (object: JsonObject | undefined, key: string): JsonObject => {
  const value = object?.[key]
  return isJsonObject(value) ? value : {}
}

export const listIn = (object: JsonObject | undefined, key: string): readonly unknown[] => {
  const value = object?.[key]
  return Array.isArray(value) ? value : []
}

export const objectsIn = (object: JsonObject | undefined, key: string): readonly JsonObject[] =>
  listIn(object, key).filter(isJsonObject)

/** Counts are never negative; anything else is 0. */
export const countIn = (object: JsonObject | undefined, key: string): number => {
  const value = object?.[key]
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}

/** Unix milliseconds of a date, or of a number of them; 0 if there is none. */
export const timeIn = (object: JsonObject | undefined, key: string): number => {
  const value = object?.[key]
  if (typeof value === 'number') return value
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? 0 : time
}

/** Of a string, or of blocks with a `text`. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (isJsonObject(content)) return stringIn(content, 'text')
  if (!Array.isArray(content)) return ''
  return content
    .map((block: unknown) => textOf(block))
    .filter((text) => text !== '')
    .join('\n')
}

/** Arguments as an object or as its JSON; another text is one member. */
export function inputOf(value: unknown): JsonObject {
  if (isJsonObject(value)) return value
  if (typeof value !== 'string' || value === '') return {}
  try {
    const parsed: unknown = JSON.parse(value)
    if (isJsonObject(parsed)) return parsed
  } catch {
    // A patch or a script.
  }
  return { input: value }
}
