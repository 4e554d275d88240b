import { SluiceError } from '../../ground/errors.ts'
import { parseExact, sourceOf, stringifyExact } from '../../protocol/exact-json.ts'
import type { ResultSource } from '../pack-result.ts'
import type { PartRange } from '../part-id.ts'
import type { Fragment } from './parse-reference.ts'

declare module '../../work/jobs.ts' {
  interface WorkerJobs {
    'read-reference': (job: ReferenceJob) => Promise<string>
  }
}

export interface ReferenceJob {
  readonly source: ResultSource
  readonly parts: PartRange | undefined
  readonly fragment: Fragment | undefined
}

/** What is inserted: a text as it is, any other JSON value as JSON. Throws BAD_INPUT where there is no such part. */
export function readReference(texts: readonly string[], fragment: Fragment | undefined): string {
  if (fragment === undefined) return whole(texts)
  return 'pointer' in fragment ? valueAt(texts, fragment.pointer) : linesOf(whole(texts), fragment.lines)
}

const whole = (texts: readonly string[]): string => (texts.length === 1 ? (texts[0] ?? '') : texts.join('\n'))

/** With their line ends, so that neighbouring ranges put together are the text. */
function linesOf(text: string, [first, last]: readonly [number, number | undefined]): string {
  let start = 0
  for (let line = 1; line < first; line++) {
    start = text.indexOf('\n', start) + 1
    if (start === 0 || start === text.length)
      throw new SluiceError(
        'BAD_INPUT',
        `It has ${line === 1 ? 'one line' : `${line} lines`}, so there is no line ${first}.`,
      )
  }
  if (last === undefined) return text.slice(start)
  let end = start
  for (let line = first; line <= last; line++) {
    const newline = text.indexOf('\n', end)
    if (newline === -1) return text.slice(start)
    end = newline + 1
  }
  return text.slice(start, end)
}

/** In the first text that has it. In URI form or plain. */
function valueAt(texts: readonly string[], pointer: string): string {
  let isJson = false
  let missing = ''
  for (const text of texts) {
    const root = parsed(text)
    if (root === undefined) continue
    isJson = true
    const keys = keysOf(decoded(pointer))
    const found = at(root.value, keys) ?? at(root.value, keysOf(pointer))
    if (found) return typeof found.value === 'string' ? found.value : found.source
    missing ||= missingWords(root.value, keys)
  }
  throw new SluiceError(
    'BAD_INPUT',
    isJson
      ? missing
      : "It isn't JSON, so a JSON pointer finds nothing in it. Name lines, such as #lines=10-80, or the whole.",
  )
}

function parsed(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*[[{"\d\-tfn]/.test(text.slice(0, 100))) return undefined
  try {
    return { value: parseExact(text) }
  } catch {
    return undefined
  }
}

interface Found {
  readonly value: unknown
  /** Its JSON, with a number's own digits. */
  readonly source: string
}

function at(root: unknown, keys: readonly string[]): Found | undefined {
  let value = root
  let source: string | undefined
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(key)) return undefined
    source = sourceOf(value, key)
    value = (value as Record<string, unknown>)[key]
  }
  return { value, source: source ?? stringifyExact(value) }
}

/** Says how far the pointer reaches and what is there. */
function missingWords(root: unknown, keys: readonly string[]): string {
  const far = keys.findIndex((_key, index) => at(root, keys.slice(0, index + 1)) === undefined)
  const inside = at(root, keys.slice(0, far))?.value
  const where = far === 0 ? 'At its top' : `At /${keys.slice(0, far).join('/')}`
  const missing = `there is no ${JSON.stringify((keys[far] ?? '').slice(0, 60))}`
  if (Array.isArray(inside)) return `${where} ${missing}: it is a list of ${inside.length}, counted from 0.`
  if (typeof inside !== 'object' || inside === null) return `${where} ${missing}: a single value is there.`
  const names = Object.keys(inside)
  const some = names.slice(0, 8).map((name) => JSON.stringify(name.slice(0, 40)))
  return `${where} ${missing}. It has ${some.join(', ')}${names.length > some.length ? ` and ${names.length - some.length} more` : ''}.`
}

const keysOf = (pointer: string): string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer)
  } catch {
    return pointer
  }
}
