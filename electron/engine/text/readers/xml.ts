import { NODE } from '../tree/json-document.ts'
import { COMMENT } from './comments.ts'
import type { Reader, Reading } from './reading.ts'
import { isSpace } from './source-lines.ts'
import { TreeBuilder } from './tree-builder.ts'
import { printXml } from './xml/print-xml.ts'
import { decodeEntities, EVENT, scanXml, siblingsOf, type XmlEvents } from './xml/scan-xml.ts'

const MOSTLY = 0.9
const HEAD = 2000
const START = /^\uFEFF?\s*(?:<!--[^]{0,1500}?-->\s*)*<(?:\?xml|!DOCTYPE (?!html)|[a-zA-Z_])/
const HTML =
  /<!doctype html|<(?:html|head|body|div|p|span|ul|table|h[1-6]|script|article|section|main|nav)[\s>]/i
const XHTML = /<\?xml/

/** XML of any vocabulary; a text without its head is HTML where it has HTML's elements. */
export const xmlReader: Reader = {
  format: 'xml',
  read(text): Reading | undefined {
    const head = text.slice(0, HEAD)
    if (!START.test(head) || (HTML.test(head) && (!XHTML.test(head) || /<html[\s>]/i.test(head))))
      return undefined
    const events = scanXml(text)
    if (events === undefined) return undefined
    const explained = 1 - events.odd / Math.max(1, text.length)
    return explained < MOSTLY || events.count < 4 ? undefined : build(text, events, explained)
  },
}

/** Elements are objects, or leaves where they have text alone; those whose names siblings share are in lists. */
function build(text: string, events: XmlEvents, explained: number): Reading {
  const { count, types, ids, heads, starts, stops, names, parents, elements, others } = events
  const tree = new TreeBuilder(text)
  const comments = new Map<number, string>()
  const keys = names.map((name) => tree.keyId(name))
  const textKey = tree.keyId('#text')
  const commentKey = tree.keyId(COMMENT)
  /** Names of open lists, -1 for elements. */
  const open: number[] = []
  let comment: string | undefined
  let named: { readonly key: number; readonly head: number } | undefined
  const note = (node: number): void => {
    if (comment !== undefined) comments.set(node, comment)
    comment = undefined
  }
  const leave = (name: number, stop: number): void => {
    if ((open.at(-1) ?? -1) < 0 || open.at(-1) === name) return
    open.pop()
    tree.end(stop)
  }
  const addText = (event: number, key: number, head: number): void => {
    const node = tree.leaf(NODE.text, key, starts[event] ?? 0, stops[event] ?? 0, head)
    const source = text.slice(starts[event], stops[event])
    if (ids[event] !== 0 && source.includes('&')) tree.setValue(node, decodeEntities(source))
  }
  for (let event = 0; event < count; event++) {
    const type = types[event]
    const head = heads[event] ?? 0
    if (type === EVENT.text) {
      leave(-1, head)
      if (open.length > 0) addText(event, textKey, head)
      else tree.leaf(NODE.text, textKey, head, stops[event] ?? head)
    } else if (type === EVENT.attribute) {
      const node = tree.leaf(
        NODE.text,
        keys[ids[event] ?? 0] ?? 0,
        starts[event] ?? 0,
        stops[event] ?? 0,
        head,
      )
      const source = text.slice(starts[event], stops[event])
      if (source.includes('&')) tree.setValue(node, decodeEntities(source))
    } else if (type === EVENT.comment) {
      comment = text.slice(starts[event], stops[event])
      if (open.length > 0) tree.leaf(NODE.text, commentKey, starts[event] ?? 0, stops[event] ?? 0, head)
    } else if (type === EVENT.close) {
      leave(-1, head)
      open.pop()
      tree.end(stops[event] ?? text.length)
    } else {
      const name = ids[event] ?? 0
      const isPaired = hasPairs(events, parents[event] ?? -1)
      const isPlain = elements[event] === 0 && isTextOnly(events, event)
      if (isPaired && names[name] === 'key' && isPlain && types[event + 1] === EVENT.text) {
        leave(-1, head)
        named = { key: tree.keyId(text.slice(starts[event + 1], stops[event + 1])), head }
        event += 2
        continue
      }
      leave(named === undefined ? name : -1, head)
      const repeats = named === undefined && siblingsOf(events, event) > 1
      if (repeats && open.at(-1) !== name) {
        tree.begin(NODE.array, keys[name] ?? 0, head)
        open.push(name)
      }
      const key = repeats ? -1 : (named?.key ?? keys[name] ?? 0)
      const from = named?.head ?? head
      named = undefined
      note(tree.count)
      if (isPlain && (others[event] ?? 0) <= 1 && types[event + 1] !== EVENT.comment) {
        if (others[event] === 1) addText(event + 1, key, from)
        else addEmpty(tree, text, key, head, from, isPaired)
        event += (others[event] ?? 0) + 1
      } else {
        tree.begin(NODE.object, key, starts[event] ?? head, from)
        open.push(-1)
      }
    }
  }
  const document = tree.finish()
  return {
    format: 'xml',
    document,
    explained,
    comments,
    print: (chosen, textOf) => printXml(document, tree.heads, chosen, textOf),
  }
}

/** An empty element of pairs is its name: `<true/>`. */
function addEmpty(
  tree: TreeBuilder,
  text: string,
  key: number,
  head: number,
  from: number,
  isPaired: boolean,
): void {
  let stop = head + 1
  while (stop < text.length && !isSpace(text.charCodeAt(stop)) && !'/>'.includes(text.charAt(stop))) stop++
  if (isPaired) tree.leaf(NODE.text, key, head + 1, stop, from)
  else tree.leaf(NODE.null, key, head, text.indexOf('>', head) + 1 || text.length, from)
}

const isTextOnly = ({ types, others }: XmlEvents, event: number): boolean =>
  others[event] === 0 || types[event + 1] === EVENT.text

/** `<key>` and a value in turns, as property lists have them. */
function hasPairs({ types, ids, names, elements, others, siblings }: XmlEvents, event: number): boolean {
  if (event < 0 || others[event] !== 0 || types[event + 1] !== EVENT.open) return false
  if (names[ids[event + 1] ?? 0] !== 'key' || (elements[event] ?? 0) % 2 !== 0) return false
  return siblings.get((event + 1) * (1 << 16) + (ids[event + 1] ?? 0)) === (elements[event] ?? 0) / 2
}
