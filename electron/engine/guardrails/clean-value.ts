import { carrySources } from '../protocol/exact-json.ts'
import { cleanText, mayHoldControlCharacters, type ControlCharacterMode } from './control-characters.ts'

export const cleanValue = (value: unknown, mode: ControlCharacterMode): unknown =>
  mode === 'keep'
    ? value
    : changeTexts(value, {
        change: (text) => cleanText(text, mode),
        changeTaken: (key) => cleanText(key, 'visualise'),
        mayChange: mayHoldControlCharacters,
      })

export interface TextChange {
  change(text: string): string
  /** If the changed form exists already. */
  changeTaken(key: string): string
  mayChange(text: string): boolean
}

/** Changes every string and key. Iterative, so no depth limit. */
export function changeTexts(value: unknown, how: TextChange): unknown {
  if (!mayChange(value, how)) return value
  const holder: Record<string, unknown> = {}
  const open: Task[] = [{ from: value, into: holder, key: 'value' }]
  for (let task = open.pop(); task; task = open.pop()) {
    const { from, into, key } = task
    if (typeof from === 'string') {
      setOwn(into, key, how.change(from))
    } else if (isRawJson(from)) {
      setOwn(into, key, from)
    } else if (Array.isArray(from)) {
      const copy: unknown[] = carrySources(from, Array.from({ length: from.length }))
      setOwn(into, key, copy)
      for (const [index, item] of from.entries()) open.push({ from: item, into: copy, key: String(index) })
    } else if (typeof from === 'object' && from !== null) {
      const copy: Record<string, unknown> = carrySources(from, {})
      setOwn(into, key, copy)
      copyEntries(from, copy, how, open)
    } else {
      setOwn(into, key, from)
    }
  }
  return holder['value']
}

/** Keeps a number's digits. */
const { isRawJSON: isRawJson } = JSON as unknown as { isRawJSON: (this: void, value: unknown) => boolean }

interface Task {
  readonly from: unknown
  readonly into: object
  readonly key: string
}

/** Keeps key order. A cleaned key that exists already is shown with marks. */
function copyEntries(from: object, copy: object, how: TextChange, open: Task[]): void {
  const entries = Object.entries(from)
  for (const [key, item] of entries) {
    const clean = how.change(key)
    const name =
      clean !== key && (Object.hasOwn(copy, clean) || Object.hasOwn(from, clean))
        ? how.changeTaken(key)
        : clean
    setOwn(copy, name, undefined)
    open.push({ from: item, into: copy, key: name })
  }
}

/** Assignment would set the prototype for the key "__proto__". */
function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

function mayChange(value: unknown, how: TextChange): boolean {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const current = open.pop()
    if (typeof current === 'string') {
      if (how.mayChange(current)) return true
    } else if (typeof current === 'object' && current !== null) {
      // `Object.entries` allocates per field, for every result.
      for (const key of Object.keys(current)) {
        if (how.mayChange(key)) return true
        open.push((current as Record<string, unknown>)[key])
      }
    }
  }
  return false
}
