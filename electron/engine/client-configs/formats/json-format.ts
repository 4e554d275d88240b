import { parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Node, ParseError } from 'jsonc-parser'
import type { ConfigFormat, Pair, WritingPlace } from './config-format.ts'
import { ConfigSyntaxError } from './config-format.ts'
import type { ConfigItem, ConfigNode } from './config-node.ts'
import { fromPairs } from './edit-value.ts'

/** And JSONC: reads comments and trailing commas, never writes them. Of equal keys the last counts, as in the apps. */
export const jsonFormat: ConfigFormat = {
  name: 'JSON',
  comment: /\/\/[^\r\n]*|\/\*[^]*?\*\//y,
  parse(text) {
    const errors: ParseError[] = []
    const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
    const [error] = errors
    if (error) throw new ConfigSyntaxError(inWords(printParseErrorCode(error.error)), error.offset)
    if (!tree) return { value: {}, root: { kind: 'map', layout: 'delimited', start: 0, end: 0, items: [] } }
    return { value: valueOf(tree), root: toNode(tree) }
  },
  writePair: ([key, value], place) => {
    const written = place.isMultiline ? writeLines(value, place) : writeInline(value)
    return place.kind === 'list' ? written : `${JSON.stringify(key)}: ${written}`
  },
  writeInline,
}

/** "CommaExpected" → "comma expected". Doesn't quote the text, which may be a secret. */
const inWords = (code: string): string =>
  code.replaceAll(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()

function writeInline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeInline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const pairs = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${writeInline(item)}`)
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
}

function writeLines(value: unknown, { indent, step, eol }: WritingPlace): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return writeInline(value)
  const pairs: Pair[] = Object.entries(value)
  if (pairs.length === 0) return '{}'
  const lines = pairs.map(([key, item]) => `${indent}${step}${JSON.stringify(key)}: ${writeInline(item)}`)
  return `{${eol}${lines.join(`,${eol}`)}${eol}${indent}}`
}

function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf)
  if (node.type !== 'object') return node.value
  return fromPairs(
    (node.children ?? []).map(({ children: [key, value] = [] }): Pair => [
      String(key?.value),
      value ? valueOf(value) : null,
    ]),
  )
}

function toNode(node: Node): ConfigNode {
  const range = { start: node.offset, end: node.offset + node.length, layout: 'delimited' } as const
  if (node.type === 'array') {
    const items = (node.children ?? []).map((child, index) => toItem(index, child, child))
    return { ...range, kind: 'list', items }
  }
  if (node.type !== 'object') return { ...range, kind: 'scalar', items: [] }
  const items = (node.children ?? []).map((property) => {
    const [key, value] = property.children ?? []
    if (!key || !value) throw new ConfigSyntaxError('value expected', property.offset)
    return toItem(String(key.value), property, value)
  })
  const last = new Map(items.map((item) => [item.key, item]))
  return {
    ...range,
    kind: 'map',
    items: items.map((item) => (last.get(item.key) === item ? item : { ...item, isOverridden: true })),
  }
}

const toItem = (key: string | number, whole: Node, value: Node): ConfigItem => ({
  key,
  pieces: [{ start: whole.offset, end: whole.offset + whole.length, prefix: '', isTable: false }],
  value: toNode(value),
})
