import { isAlias, isCollection, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import type { CST, Node, Pair as YamlPair, YAMLMap, YAMLSeq } from 'yaml'
import type { ConfigFormat, Pair, WritingPlace } from './config-format.ts'
import { ConfigSyntaxError } from './config-format.ts'
import type { ConfigItem, ConfigNode } from './config-node.ts'

/** YAML 1.2, one document. New values use flow style, which needs no quoting rules. */
export const yamlFormat: ConfigFormat = {
  name: 'YAML',
  comment: /(?<=[\s,[{])#[^\r\n]*/y,
  parse(text) {
    const document = parseDocument(text, { keepSourceTokens: true, prettyErrors: false })
    const [error] = document.errors
    if (error) throw new ConfigSyntaxError(error.message, error.pos[0])
    try {
      const value: unknown = document.toJS() ?? {}
      const { contents } = document
      const root: ConfigNode = contents
        ? toNode(contents, 0)
        : { kind: 'map', layout: 'lines', start: 0, end: 0, items: [] }
      return { value, root }
    } catch (fault) {
      // Multiplying aliases, or one without anchor.
      throw new ConfigSyntaxError(fault instanceof Error ? fault.message : String(fault), 0)
    }
  },
  writePair([key, value], place) {
    if (place.layout === 'delimited') {
      return place.kind === 'list' ? writeInline(value) : `${writeKey(key)}: ${writeInline(value)}`
    }
    if (place.kind === 'list') return `- ${writeEntries(value, { ...place, indent: `${place.indent}  ` })}`
    if (!isFields(value) || Object.keys(value).length === 0) return `${writeKey(key)}: ${writeInline(value)}`
    const indent = place.indent + place.step
    return `${writeKey(key)}:${place.eol}${indent}${writeEntries(value, { ...place, indent })}`
  },
  writeInline,
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const writeEntries = (value: unknown, { eol, indent }: WritingPlace): string =>
  isFields(value)
    ? Object.entries(value)
        .map(([key, item]) => `${writeKey(key)}: ${writeInline(item)}`)
        .join(eol + indent)
    : writeInline(value)

/** Other readings than text. */
const NOT_TEXT = /^(?:y|n|yes|no|on|off|true|false|null|~)$/i
const writeKey = (key: string): string =>
  /^[A-Za-z_][\w-]*$/.test(key) && !NOT_TEXT.test(key) ? key : writeInline(key)

function writeInline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeInline).join(', ')}]`
  if (isFields(value)) {
    const pairs: Pair[] = Object.entries(value)
    return `{${pairs.map(([key, item]) => `${writeInline(key)}: ${writeInline(item)}`).join(', ')}}`
  }
  const json = JSON.stringify(value) ?? 'null'
  // YAML's double quotes need these escaped, too.
  return json.replaceAll(/[\u007F-\u009F\u2028\u2029\uFEFF]/g, escapeCharacter)
}

const escapeCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

function toNode(node: unknown, fallback: number): ConfigNode {
  if (!isAlias(node) && !isScalar(node) && !isCollection(node)) {
    return { kind: 'scalar', layout: 'lines', start: fallback, end: fallback, items: [] }
  }
  const [start, end] = rangeOf(node, fallback)
  if (isMap(node)) {
    const items = node.items.map((pair, index) => toMapItem(node, pair, index))
    return container('map', node, start, items)
  }
  if (isSeq(node)) {
    const items = node.items.map((item, index) => toListItem(node, item, index))
    return container('list', node, start, items)
  }
  return { kind: 'scalar', layout: 'lines', start, end, items: [] }
}

function container(
  kind: 'map' | 'list',
  node: YAMLMap | YAMLSeq,
  start: number,
  items: ConfigItem[],
): ConfigNode {
  if (node.flow) return { kind, layout: 'delimited', start, end: rangeOf(node, start)[1], items }
  // The library includes trailing line breaks and comments.
  return { kind, layout: 'lines', start, end: items.at(-1)?.pieces.at(-1)?.end ?? start, items }
}

function toMapItem(map: YAMLMap, { key, value }: YamlPair, index: number): ConfigItem {
  const keyNode = toNode(key, map.range?.[0] ?? 0)
  const token = sourceOf(map, index)
  const colon = token?.sep?.find(({ type }) => type === 'map-value-ind')?.offset
  const valueNode = toNode(value, colon === undefined ? keyNode.end : colon + 1)
  const explicit = token?.start.find(({ type }) => type === 'explicit-key-ind')?.offset
  return {
    key: String(isScalar(key) ? key.value : ''),
    pieces: [
      { start: explicit ?? keyNode.start, end: trimmedEnd(valueNode, value), prefix: '', isTable: false },
    ],
    value: valueNode,
  }
}

function toListItem(list: YAMLSeq, item: unknown, index: number): ConfigItem {
  const value = toNode(item, list.range?.[0] ?? 0)
  const dash = sourceOf(list, index)?.start.find(({ type }) => type === 'seq-item-ind')?.offset
  const pieces = [{ start: dash ?? value.start, end: trimmedEnd(value, item), prefix: '', isTable: false }]
  return { key: index, pieces, value }
}

/** A block scalar's range includes its final line break. */
const trimmedEnd = (node: ConfigNode, source: unknown): number =>
  isScalar(source) && source.srcToken?.type === 'block-scalar'
    ? Math.max(node.start, node.end - (/[\r\n]+$/.exec(source.srcToken.source)?.[0].length ?? 0))
    : node.end

type SourceItem =
  | CST.BlockMap['items'][number]
  | CST.BlockSequence['items'][number]
  | CST.FlowCollection['items'][number]

/** Dash or question mark, and colon. */
const sourceOf = ({ srcToken }: YAMLMap | YAMLSeq, index: number): SourceItem | undefined =>
  srcToken && 'items' in srcToken ? srcToken.items[index] : undefined

const rangeOf = (node: Node, fallback: number): readonly [number, number] =>
  node.range ? [node.range[0], node.range[1]] : [fallback, fallback]
