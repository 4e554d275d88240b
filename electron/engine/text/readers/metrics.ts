import { NODE } from '../tree/json-document.ts'
import { Comments } from './comments.ts'
import { printMetrics } from './metrics/print-metrics.ts'
import type { Reader, Reading } from './reading.ts'
import { isBlank, isSpace, lineOf, sourceLines, trimStart } from './source-lines.ts'
import type { SourceLines } from './source-lines.ts'
import { TreeBuilder } from './tree-builder.ts'
import { quotedStop } from './yaml/quoted.ts'

const SAMPLE = 60
const MOSTLY = 0.9
const METRIC = /^[A-Za-z_:][\w:.]*(?:\{[^}]*\})?\s+[-+]?(?:\d|\.\d|NaN|Inf)\S*(?:\s+-?\d+(?:\.\d+)?)?$/

/** Metrics as Prometheus scrapes them: `name{label="value"} 1`. A series is a record of its labels and value. */
export const metricsReader: Reader = {
  format: 'metrics',
  read(text): Reading | undefined {
    const lines = sourceLines(text)
    return mayBeMetrics(lines) ? read(lines) : undefined
  },
}

function mayBeMetrics(lines: SourceLines): boolean {
  let all = 0
  let metrics = 0
  let labelled = 0
  for (let line = 0; line < lines.count && all < SAMPLE; line++) {
    const source = lineOf(lines, line).slice(0, 1000)
    if (source === '') continue
    if (source.startsWith('#')) {
      if (/^# (?:HELP|TYPE|EOF)/.test(source)) labelled++
      continue
    }
    all++
    if (METRIC.test(source)) metrics++
    if (source.includes('{')) labelled++
  }
  return metrics > 1 && labelled > 0 && metrics >= all * MOSTLY
}

function read(lines: SourceLines): Reading | undefined {
  const { text, starts, stops, count, size } = lines
  const tree = new TreeBuilder(text)
  const comments = new Comments(lines, tree)
  const valueKey = tree.keyId('value')
  let explained = 0
  let series = ''
  tree.begin(NODE.object, -1, 0)
  for (let line = 0; line < count; line++) {
    if (isBlank(lines, line)) continue
    const start = starts[line] ?? 0
    const stop = stops[line] ?? 0
    if (text.charCodeAt(start) === HASH) {
      explained += stop - start
      comments.add(line)
      continue
    }
    const nameStop = endOfName(text, start, stop)
    const name = text.slice(start, nameStop)
    if (name !== series || tree.container === 1) {
      if (tree.container > 1) tree.end(stops[line - 1] ?? start)
      comments.place(line)
      tree.begin(NODE.array, tree.keyId(name), start)
      series = name
    }
    const [record, around] = [tree.count, tree.container]
    tree.begin(NODE.object, -1, start)
    const behind = readLabels(tree, nameStop, stop)
    const value = trimStart(text, behind, stop)
    let end = value
    while (end < stop && !isSpace(text.charCodeAt(end))) end++
    if (behind < 0 || end === value) {
      tree.rollback(record, around)
      tree.leaf(NODE.text, -1, start, stop)
      continue
    }
    explained += stop - start
    tree.leaf(NODE.text, valueKey, value, end)
    tree.end(stop)
  }
  if (tree.container > 1) tree.end(text.length)
  comments.place(count)
  if (explained < size * MOSTLY) return undefined
  const document = tree.finish()
  return {
    format: 'metrics',
    document,
    explained: explained / Math.max(1, size),
    comments: comments.byNode,
    print: (chosen, textOf) => printMetrics(document, chosen, textOf),
  }
}

const HASH = 0x23

function endOfName(text: string, start: number, stop: number): number {
  let at = start
  while (at < stop && text.charCodeAt(at) !== 0x7b && !isSpace(text.charCodeAt(at))) at++
  return at
}

/** Returns the position behind the labels; -1 where they don't end. */
function readLabels(tree: TreeBuilder, from: number, stop: number): number {
  const { text } = tree
  let at = trimStart(text, from, stop)
  if (text.charCodeAt(at) !== 0x7b) return at
  at++
  while (at < stop) {
    const code = text.charCodeAt(at)
    if (code === 0x7d) return at + 1
    if (code === 0x2c || isSpace(code)) {
      at++
      continue
    }
    const equals = text.indexOf('="', at)
    if (equals < 0 || equals >= stop) return -1
    const end = quotedStop(text, equals + 1)
    if (end < 0 || end > stop) return -1
    tree.leaf(NODE.text, tree.keyId(text.slice(at, equals)), equals + 2, end - 1, at)
    at = end
  }
  return -1
}
