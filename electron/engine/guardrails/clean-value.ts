import { carrySources } from '../protocol/exact-json.ts'
import { cleanText, mayHoldControlCharacters, type ControlCharacterMode } from './control-characters.ts'

/**
 * `cleanText` for every string and key of a JSON value. Gives the same value back where nothing is to be cleaned, and
 * a copy otherwise. Without recursion, so that no nesting is too deep.
 */
export function cleanValue(value: unknown, mode: ControlCharacterMode): unknown {
  if (mode === 'keep' || !isSuspicious(value)) return value
  const holder: Record<string, unknown> = {}
  const open: Task[] = [{ from: value, into: holder, key: 'value' }]
  for (let task = open.pop(); task; task = open.pop()) {
    const { from, into, key } = task
    if (typeof from === 'string') {
      setOwn(into, key, cleanText(from, mode))
    } else if (Array.isArray(from)) {
      const copy: unknown[] = carrySources(from, Array.from({ length: from.length }))
      setOwn(into, key, copy)
      for (const [index, item] of from.entries()) open.push({ from: item, into: copy, key: String(index) })
    } else if (typeof from === 'object' && from !== null) {
      const copy: Record<string, unknown> = carrySources(from, {})
      setOwn(into, key, copy)
      copyEntries(from, copy, mode, open)
    } else {
      setOwn(into, key, from)
    }
  }
  return holder['value']
}

interface Task {
  readonly from: unknown
  readonly into: object
  readonly key: string
}

/** In the order of the keys, which the copy keeps. A cleaned key that exists already is shown with its marks instead. */
function copyEntries(from: object, copy: object, mode: ControlCharacterMode, open: Task[]): void {
  const entries = Object.entries(from)
  for (const [key, item] of entries) {
    const clean = cleanText(key, mode)
    const name =
      clean !== key && (Object.hasOwn(copy, clean) || Object.hasOwn(from, clean))
        ? cleanText(key, 'visualise')
        : clean
    setOwn(copy, name, undefined)
    open.push({ from: item, into: copy, key: name })
  }
}

/** Plain assignment would set the prototype for the key "__proto__". */
function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

function isSuspicious(value: unknown): boolean {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const current = open.pop()
    if (typeof current === 'string') {
      if (mayHoldControlCharacters(current)) return true
    } else if (typeof current === 'object' && current !== null) {
      // Not through `Object.entries`, which makes an array for each field: this is done for every result.
      for (const key of Object.keys(current)) {
        if (mayHoldControlCharacters(key)) return true
        open.push((current as Record<string, unknown>)[key])
      }
    }
  }
  return false
}
