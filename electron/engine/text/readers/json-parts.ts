import { NODE } from '../tree/json-document.ts'
import { printJsonParts } from './json/print-json.ts'
import type { Reader, Reading } from './reading.ts'
import { isSpace, trimEnd, trimStart } from './source-lines.ts'
import { TreeBuilder } from './tree-builder.ts'
import { FlowReader } from './yaml/flow.ts'

/** Least share of the text in values, and least nodes. */
const MOSTLY = 0.5
const LEAST_NODES = 5
/** Values begin near the start of a line. */
const LEAD = 200
/** Text read in vain, as a share of the text. */
const WASTED = 2
const MOST_LEADS = 50
const HAS_WORD = /\p{L}{2}/u

/** JSON among other text: lines with others between, fenced, after a sentence, several, cut off at the end. */
export const jsonPartsReader: Reader = {
  format: 'json-parts',
  read(text): Reading | undefined {
    const tree = new TreeBuilder(text)
    const flow = new FlowReader(tree, { isJson: true })
    let wasted = 0
    let explained = 0
    let all = 0
    let values = 0
    let lineStart = 0
    /** Uses of what is in front of values, such as containers' names: twice or more, it is explained. */
    const leads = new Map<string, number>()
    while (lineStart < text.length && wasted < text.length * WASTED) {
      const stop = text.indexOf('\n', lineStart)
      const lineStop = stop < 0 ? text.length : stop
      const value = findValue(text, lineStart, lineStop)
      const before = tree.count
      const end = value < 0 ? -1 : readAfter(tree, flow, lineStart, value)
      if (end > 0) {
        values += tree.count - before
        const lead = text.slice(lineStart, value)
        const uses = HAS_WORD.test(lead) ? (leads.get(lead) ?? 0) : -1
        explained += end - value + lead.length * (uses === 1 ? 2 : Math.max(0, Math.sign(uses)))
        if (uses > 0 || (uses === 0 && leads.size < MOST_LEADS)) leads.set(lead, uses + 1)
        all += end - lineStart
        lineStart = end
        continue
      }
      if (value >= 0) wasted += flow.at - value
      all += addText(tree, lineStart, lineStop)
      lineStart = lineStop + 1
    }
    if (values < LEAST_NODES || explained < all * MOSTLY || lineStart < text.length) return undefined
    const document = tree.finish()
    return {
      format: 'json-parts',
      document,
      explained: explained / Math.max(1, all),
      print: (chosen, textOf) => printJsonParts(document, chosen, textOf),
    }
  },
}

/** The bracket of an object, or of a list unless it is a word in brackets. */
function findValue(text: string, start: number, stop: number): number {
  const last = Math.min(stop, start + LEAD)
  for (let at = start; at < last; at++) {
    const code = text.charCodeAt(at)
    if (code !== 0x7b && code !== 0x5b) continue
    let next = at + 1
    while (isSpace(text.charCodeAt(next))) next++
    const follows = text[next] ?? ''
    const begins = code === 0x7b ? '"}' : '"{[]-0123456789tfn'
    if (follows === '' || begins.includes(follows)) return at
  }
  return -1
}

/** The text before a value, and the value; -1, with nothing added, where there is none. */
function readAfter(tree: TreeBuilder, flow: FlowReader, start: number, value: number): number {
  const { count, container } = tree
  addText(tree, start, value)
  const end = flow.read(value, -1, value)
  if (end < 0) tree.rollback(count, container)
  return end
}

/** Fences and commas between values aren't text. */
function addText(tree: TreeBuilder, from: number, to: number): number {
  const { text } = tree
  const start = trimStart(text, from, to)
  const stop = trimEnd(text, start, to)
  if (stop === start) return 0
  const isMark = text.startsWith('```', start) || (stop - start === 1 && ',]['.includes(text.charAt(start)))
  if (!isMark) tree.leaf(NODE.text, -1, start, stop)
  return isMark ? 0 : stop - start
}
