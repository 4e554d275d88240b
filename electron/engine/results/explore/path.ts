import { SluiceError } from '../../ground/errors.ts'
import { parseCondition } from './condition.ts'
import type { Condition } from './condition.ts'

/** One step of a path into data. */
export type Segment =
  | { readonly type: 'field'; readonly name: string }
  /** A name with `*` in it, or `*` alone. */
  | { readonly type: 'names'; readonly pattern: RegExp }
  | { readonly type: 'index'; readonly index: number }
  | { readonly type: 'slice'; readonly from: number | undefined; readonly to: number | undefined }
  | { readonly type: 'where'; readonly condition: Condition }
  /** `**`: here and at any depth below. */
  | { readonly type: 'deep' }

export const PATH_SYNTAX =
  'Paths look like user.name, items[0:10].id, items[-5:], items[status == "open"].id, *.total, **.id, ["a.b"].'

/** Reads a path such as `items[0:10].id`. Throws BAD_INPUT with the right syntax. */
export function parsePath(source: string): Segment[] {
  const bad = (what: string) =>
    new SluiceError(
      'BAD_INPUT',
      `${what} in the path ${JSON.stringify(source.slice(0, 200))}. ${PATH_SYNTAX}`,
    )
  const segments: Segment[] = []
  let at = source.startsWith('$') ? 1 : 0
  while (at < source.length) {
    if (source[at] === '.') {
      at++
      continue
    }
    if (source[at] === '[') {
      const end = closingBracket(source, at)
      if (end === undefined) throw bad('A "]" is missing')
      segments.push(subscript(source.slice(at + 1, end).trim(), bad))
      at = end + 1
      continue
    }
    const end = nameEnd(source, at)
    const name = source.slice(at, end).trim()
    if (name === '' || source[at] === ']') throw bad('A name is missing')
    segments.push(named(name))
    at = end
  }
  if (segments.length === 0) throw bad('Nothing is named')
  return segments
}

/** Whether an entry of `fields` is a condition on its own, such as `status == "open"`. */
export function isBareCondition(source: string): boolean {
  const outside = source.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""')
  let depth = 0
  for (const character of outside) {
    if (character === '[') depth++
    else if (character === ']') depth--
    else if (depth === 0 && /[=<>]/.test(character)) return true
  }
  return /^[^[\]]+\s(?:contains|matches)\s/i.test(outside)
}

function named(name: string): Segment {
  if (name === '**') return { type: 'deep' }
  if (!name.includes('*')) return { type: 'field', name }
  const pattern = name
    .split('*')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('[^]*')
  return { type: 'names', pattern: new RegExp(`^${pattern}$`) }
}

function subscript(inner: string, bad: (what: string) => SluiceError): Segment {
  if (inner === '' || inner === '*' || inner === ':') return { type: 'slice', from: undefined, to: undefined }
  if (/^-?\d+$/.test(inner)) return { type: 'index', index: Number(inner) }
  const slice = /^(-?\d+)?\s*:\s*(-?\d+)?$/.exec(inner)
  if (slice) return { type: 'slice', from: toNumber(slice[1]), to: toNumber(slice[2]) }
  const quoted = /^"((?:[^"\\]|\\.)*)"$|^'((?:[^'\\]|\\.)*)'$/.exec(inner)
  if (quoted) return { type: 'field', name: (quoted[1] ?? quoted[2] ?? '').replaceAll(/\\(.)/g, '$1') }
  if (/^-?\d*:-?\d*:/.test(inner)) throw bad('Slices have no step: use [from:to]')
  // JSONPath writes conditions as [?(@.a == 1)].
  return { type: 'where', condition: parseCondition(inner.replace(/^\?/, '')) }
}

const toNumber = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits)

function nameEnd(source: string, start: number): number {
  let at = start
  while (at < source.length && source[at] !== '.' && source[at] !== '[' && source[at] !== ']') at++
  return at
}

/** Brackets inside quotes don't count. */
function closingBracket(source: string, open: number): number | undefined {
  let quote: string | undefined
  let depth = 0
  for (let at = open; at < source.length; at++) {
    const character = source[at]
    if (quote !== undefined) {
      if (character === '\\') at++
      else if (character === quote) quote = undefined
    } else if (character === '"' || character === "'") quote = character
    else if (character === '[') depth++
    else if (character === ']' && --depth === 0) return at
  }
  return undefined
}
