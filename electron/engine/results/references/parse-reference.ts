import { SluiceError } from '../../ground/errors.ts'
import { parsePartId, type PartRange } from '../part-id.ts'

/** A JSON pointer (RFC 6901), or lines from 1, both included. */
export type Fragment =
  | { readonly pointer: string }
  | { readonly lines: readonly [first: number, last: number | undefined] }

export interface Reference {
  readonly id: string
  readonly parts: PartRange | undefined
  /** Undefined: the whole. */
  readonly fragment: Fragment | undefined
}

export const SCHEME = 'sluice://'
/** The whole text, since words around an address make it a text. Keys may have spaces. A scheme has no case, an id has. */
const ADDRESS = /^\s*sluice:\/\/([rq]_[^\s#]*)(?:#([^\r\n]*?))?\s*$/i
const ID = /^[rq]_[0-9a-f]{6,64}(?:\/\d{1,9}(?:-\d{1,9})?)?$/
const LONGEST = 2_000

export const isReference = (text: string): boolean => text.length <= LONGEST && ADDRESS.test(text)

/** Of a text that is a reference. Throws BAD_INPUT. */
export function parseReference(text: string): Reference {
  const [, name = '', fragment] = ADDRESS.exec(text) ?? []
  if (!ID.test(name)) {
    throw new SluiceError(
      'BAD_INPUT',
      `${shown(text)} names no kept result. Write the id as its header does: ${SCHEME}r_7f3a9c.`,
    )
  }
  return {
    ...parsePartId(name),
    fragment: fragment === undefined || fragment === '' ? undefined : parseFragment(fragment, text),
  }
}

function parseFragment(fragment: string, text: string): Fragment {
  if (fragment.startsWith('/')) return { pointer: fragment }
  const [, first, dash, last] = /^lines=(\d{1,9})(-)?(\d{1,9})?$/.exec(fragment) ?? []
  if (first === undefined || (dash === undefined && last !== undefined)) {
    throw new SluiceError(
      'BAD_INPUT',
      `${shown(text)} ends in a part that can't be read. After "#" comes a JSON pointer such as /items/0/name, or lines=10-80.`,
    )
  }
  const from = Number(first)
  const to = last === undefined ? (dash === undefined ? from : undefined) : Number(last)
  if (from < 1 || (to !== undefined && to < from)) {
    throw new SluiceError(
      'BAD_INPUT',
      `${shown(text)} names no lines: they count from 1, the first one first.`,
    )
  }
  return { lines: [from, to] }
}

const shown = (text: string): string => JSON.stringify(text.trim().slice(0, 100))
