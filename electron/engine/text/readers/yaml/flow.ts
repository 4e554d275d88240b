import { NODE } from '../../tree/json-document.ts'
import { isSpace, trimEnd } from '../source-lines.ts'
import { kindOfPlain, type TreeBuilder } from '../tree-builder.ts'
import { quotedStop, setQuoted } from './quoted.ts'

const DEEPEST = 500

/**
 * A collection in brackets (`{a: 1, b: [2]}`, in TOML `{a = 1}`) from its bracket. Returns the position behind it; -1, with nothing open left,
 * when it doesn't close.
 */
export function readFlow(tree: TreeBuilder, start: number, key: number, head: number, colon = COLON): number {
  const { text } = tree
  let depth = 0
  let at = start
  let name = key
  let nameHead = head
  let isKeyNext = false
  for (;;) {
    const code = text.charCodeAt(at)
    if (Number.isNaN(code) || depth > DEEPEST) break
    if (isSpace(code) || code === COMMA) {
      if (code === COMMA) isKeyNext = tree.kindOf(tree.container) === NODE.object
      if (code === COMMA) name = -1
      at++
      continue
    }
    if (code === HASH && isSpace(text.charCodeAt(at - 1))) {
      at = lineEnd(text, at)
      continue
    }
    if (code === CLOSE_LIST || code === CLOSE_MAP) {
      at++
      tree.end(at)
      if (--depth === 0) return at
      isKeyNext = tree.kindOf(tree.container) === NODE.object
      continue
    }
    if (isKeyNext) {
      const stop = isQuote(code) ? quotedStop(text, at) : keyStop(text, at, colon)
      if (stop < 0) break
      nameHead = at
      name = tree.keyId(
        isQuote(code) ? text.slice(at + 1, stop - 1) : text.slice(at, trimEnd(text, at, stop)),
      )
      isKeyNext = false
      at = stop
      while (isSpace(text.charCodeAt(at))) at++
      if (text.charCodeAt(at) === colon) at++
      continue
    }
    const isItem = depth > 0 && tree.kindOf(tree.container) === NODE.array
    const valueKey = isItem ? -1 : name
    const valueHead = isItem ? at : nameHead
    if (code === OPEN_LIST || code === OPEN_MAP) {
      const kind = code === OPEN_MAP ? NODE.object : NODE.array
      const node = tree.begin(kind, valueKey, at, valueHead)
      if (depth === 0) tree.flows.add(node)
      isKeyNext = kind === NODE.object
      depth++
      at++
      continue
    }
    if (isQuote(code)) {
      const stop = quotedStop(text, at)
      if (stop < 0) break
      setQuoted(tree, tree.leaf(NODE.text, valueKey, at + 1, stop - 1, valueHead))
      at = stop
    } else {
      const stop = plainStop(text, at)
      const end = trimEnd(text, at, stop)
      if (stop === at) break
      tree.leaf(kindOfPlain(text.slice(at, end)), valueKey, at, end, valueHead)
      at = stop
    }
  }
  while (depth-- > 0) tree.end(Math.min(at, text.length))
  return -1
}

const COMMA = 0x2c
const COLON = 0x3a
const HASH = 0x23
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_MAP = 0x7b
const CLOSE_MAP = 0x7d

const isQuote = (code: number): boolean => code === 0x22 || code === 0x27

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

const LONGEST_KEY = 400

function keyStop(text: string, from: number, colon: number): number {
  for (let at = from; at < Math.min(text.length, from + LONGEST_KEY); at++) {
    const code = text.charCodeAt(at)
    if (code === colon && (colon !== COLON || isSpace(text.charCodeAt(at + 1)) || at + 1 === text.length))
      return at
    if (code === COMMA || code === CLOSE_MAP) return at
  }
  return -1
}

function plainStop(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (
      code === COMMA ||
      code === CLOSE_LIST ||
      code === CLOSE_MAP ||
      code === OPEN_LIST ||
      code === OPEN_MAP
    )
      break
    if (code === 0x0a) break
  }
  return at
}
