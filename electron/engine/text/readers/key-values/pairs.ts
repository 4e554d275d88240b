import { NODE } from '../../tree/json-document.ts'
import { kindOfPlain, type TreeBuilder } from '../tree-builder.ts'

const PAIRS = /^[A-Za-z_][\w.-]*=[^,;=\s]*(?:[,;] ?[A-Za-z_][\w.-]*=[^,;=\s]*)+$/
const PAIR = /([A-Za-z_][\w.-]*)=([^,;]*)/g
const LONGEST = 2000

/** A value of pairs, `calls=12,usec=340`, as an object; false, with nothing added, where it is none. */
export function readPairs(
  tree: TreeBuilder,
  key: number,
  { start, value, stop }: Record<'start' | 'value' | 'stop', number>,
): boolean {
  const source = stop - value > LONGEST ? '' : tree.text.slice(value, stop)
  if (!PAIRS.test(source)) return false
  tree.flows.add(tree.begin(NODE.object, key, value, start))
  for (const { index, 0: pair, 1: name = '', 2: own = '' } of source.matchAll(PAIR)) {
    const head = value + index
    const end = head + pair.length
    tree.leaf(own === '' ? NODE.null : kindOfPlain(own), tree.keyId(name), end - own.length, end, head)
  }
  tree.end(stop)
  return true
}
