import { inSteps, type Steps } from '../ground/steps.ts'
import { asItCame, stringifyExact } from './exact-json.ts'
import { hasManyValues, portionsOf } from './json-portions.ts'

const PIECE = 1_000_000
/** Within a turn. */
const SMALL_PIECE = 50_000

export interface PiecesOptions<Inside> {
  readonly size?: number
  /** Undefined if unknown. */
  readonly insideOf?: (text: string) => Inside | undefined
}

/**
 * So that 50 MB isn't in memory twice and many values don't block. Splits texts over `size` characters, unless
 * `insideOf` knows them.
 */
export function* stringifyInPieces<Inside = never>(
  value: unknown,
  { size = PIECE, insideOf }: PiecesOptions<Inside> = {},
): Generator<string | Inside> {
  const open: { readonly isList: boolean; comma: '' | ',' }[] = []
  let key = ''
  let text = ''
  const begin = (): string => {
    const current = open.at(-1)
    if (!current) return ''
    const before = `${current.comma}${current.isList ? '' : `${JSON.stringify(key)}:`}`
    current.comma = ','
    return before
  }
  for (const portion of portionsOf(value)) {
    if (portion.kind === 'key') key = portion.key
    else if (portion.kind === 'some') {
      const current = open.at(-1)
      text += `${current?.comma ?? ''}${portion.json.slice(1, -1)}`
      if (current) current.comma = ','
    } else if (portion.kind === 'end') text += open.pop()?.isList ? ']' : '}'
    else if (portion.kind !== 'leaf') {
      const isList = portion.kind === 'list'
      text += `${begin()}${isList ? '[' : '{'}`
      open.push({ isList, comma: '' })
    } else if (typeof portion.value === 'string' && portion.value.length > size) {
      yield* piecesOf(`${text}${begin()}"`, size)
      const inside = insideOf?.(portion.value)
      if (inside !== undefined) yield inside
      else for (const piece of piecesOf(portion.value, size)) yield JSON.stringify(piece).slice(1, -1)
      text = '"'
    } else {
      const json = jsonOf(portion.value, open.at(-1)?.isList)
      if (json !== undefined) text += `${begin()}${json}`
    }
    if (text.length < size) continue
    yield* piecesOf(text, size)
    text = ''
  }
  yield* piecesOf(text, size)
}

export async function stringifyInTurns(value: unknown): Promise<string> {
  if (!hasManyValues(value)) return stringifyExact(value)
  let text = ''
  const write = function* (): Steps<string> {
    for (const piece of stringifyInPieces(value, { size: SMALL_PIECE })) {
      text += piece
      yield
    }
    return text
  }
  return inSteps(write())
}

/** JSON omits members it can't express, and writes null in lists. */
function jsonOf(value: unknown, isInList: boolean | undefined): string | undefined {
  const json: string | undefined = JSON.stringify(asItCame(value))
  return json ?? (isInList ? 'null' : undefined)
}

/** Never splits a surrogate pair, because JSON writes halves differently. */
function* piecesOf(text: string, size: number): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + size, text.length)
    const code = text.charCodeAt(end - 1)
    if (end < text.length && code >= 0xd800 && code <= 0xdbff) end--
    yield text.slice(start, end)
    start = end
  }
}
