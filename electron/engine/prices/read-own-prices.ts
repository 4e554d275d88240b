import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import { join } from 'node:path'
import { messageOf } from '../ground/errors.ts'
import { readOrNothing } from '../ground/files/read-or-nothing.ts'
import { OwnPrices } from './price-table.ts'

interface ReadPrices {
  /** Undefined: it can't be read. */
  readonly own: OwnPrices | undefined
  /** What is wrong with the file, where, and what to do. */
  readonly fault: string | undefined
}

const WHAT_TO_DO =
  'Correct it, or move the file away. Until then the prices that come with Sluice are used, and none of yours.'

/** The user's, in the data folder. */
const PRICES_FILE = 'prices.json'

/** By its text, so that an unchanged file is parsed once. */
export function createReadPrices(dataDir: string): () => ReadPrices {
  const path = join(dataDir, PRICES_FILE)
  let last: (ReadPrices & { readonly text: string | undefined }) | undefined
  return () => {
    try {
      const text = readOrNothing(path)
      if (last === undefined || last.text !== text) last = { text, ...parse(path, text) }
      return last
    } catch (error) {
      return { own: undefined, fault: `${path} can't be read: ${messageOf(error)}. ${WHAT_TO_DO}` }
    }
  }
}

function parse(path: string, text: string | undefined): ReadPrices {
  if (text === undefined) return { own: { prices: {} }, fault: undefined }
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { disallowComments: true })
  const at = (offset: number, place: string, message: string): ReadPrices => {
    const before = text.slice(0, offset).split('\n')
    const where = `${path}:${before.length}:${(before.at(-1) ?? '').length + 1}`
    return { own: undefined, fault: `${where}${place === '' ? '' : ` ${place}`}: ${message} ${WHAT_TO_DO}` }
  }
  const [broken] = errors
  if (broken) return at(broken.offset, '', `This isn't JSON (${printParseErrorCode(broken.error)}).`)
  if (!root) return at(0, '', 'The file is empty.')
  const parsed = OwnPrices.safeParse(JSON.parse(text))
  if (parsed.success) return { own: parsed.data, fault: undefined }
  const [issue] = parsed.error.issues
  const place = (issue?.path ?? []).map((part) => (typeof part === 'symbol' ? part.toString() : part))
  return at(nodeAt(root, place).offset, place.join('.'), `${issue?.message ?? 'It has another form'}.`)
}

/** Of a missing one, what should have it. */
function nodeAt(root: Node, path: readonly (string | number)[]): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length))
    if (node) return node
  }
  return root
}
