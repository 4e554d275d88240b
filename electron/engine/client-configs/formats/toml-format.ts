import { getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser'
import type { AST } from 'toml-eslint-parser'
import type { ConfigFormat, Pair, WritingPlace } from './config-format.ts'
import { ConfigSyntaxError } from './config-format.ts'
import type { ConfigItem, ConfigNode, ConfigPiece } from './config-node.ts'

/** Assembles logical maps from tables, dotted keys and inline tables. */
export const tomlFormat: ConfigFormat = {
  name: 'TOML',
  comment: /#[^\r\n]*/y,
  parse(text) {
    const program = read(text)
    const root = newMap()
    for (const node of program.body[0].body) {
      if (node.type === 'TOMLTable') addTable(root, node)
      else addPair(root, node)
    }
    return { value: getStaticTOMLValue(program), root: freeze(root, 0, text.length) }
  },
  writePair([key, value], place) {
    if (!place.asTable || !place.isMultiline || !isFields(value)) {
      return `${place.prefix}${writeKey(key)} = ${writeInline(value)}`
    }
    return writeTable(key, value, place)
  },
  writeInline,
}

function read(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: 'next' })
  } catch (error) {
    if (error instanceof ParseError) throw new ConfigSyntaxError(error.message, error.index)
    throw error
  }
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function writeTable(key: string, value: Readonly<Record<string, unknown>>, place: WritingPlace): string {
  const { container, eol, indent } = place
  const header = `[${[...container, key].map((part) => writeKey(String(part))).join('.')}]`
  const pairs = Object.entries(value).map(([name, item]) => `${writeKey(name)} = ${writeInline(item)}`)
  return eol + indent + [header, ...pairs].join(eol + indent)
}

const writeKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : writeText(key))

const writeText = (text: string): string => JSON.stringify(text).replaceAll('\u007F', String.raw`\u007f`)

function writeInline(value: unknown): string {
  if (typeof value === 'string') return writeText(value)
  if (Array.isArray(value)) return `[${value.map(writeInline).join(', ')}]`
  if (!isFields(value)) return String(value)
  const pairs: Pair[] = Object.entries(value)
  return pairs.length === 0
    ? '{}'
    : `{ ${pairs.map(([key, item]) => `${writeKey(key)} = ${writeInline(item)}`).join(', ')} }`
}

interface GrowingMap {
  readonly items: Map<string, { pieces: ConfigPiece[]; value: ConfigNode | GrowingMap }>
}
const newMap = (): GrowingMap => ({ items: new Map() })
const isGrowing = (value: ConfigNode | GrowingMap): value is GrowingMap => value.items instanceof Map

function addTable(root: GrowingMap, table: AST.TOMLTable): void {
  const [start, end] = table.range
  const piece = { start, end, prefix: '', isTable: true }
  let map: GrowingMap | undefined = root
  for (const key of table.resolvedKey) {
    if (typeof key === 'number') return
    map = mapAt(map, key, piece)
    if (!map) return
  }
  for (const pair of table.body) addPair(map, pair)
}

function addPair(root: GrowingMap, pair: AST.TOMLKeyValue): void {
  const [start, end] = pair.range
  let map: GrowingMap | undefined = root
  for (const [index, part] of pair.key.keys.entries()) {
    const key = part.type === 'TOMLBare' ? part.name : part.value
    const prefix = pair.key.keys
      .slice(0, index)
      .map((before) => `${writeKey(before.type === 'TOMLBare' ? before.name : before.value)}.`)
      .join('')
    const piece = { start, end, prefix, isTable: false }
    if (index === pair.key.keys.length - 1) {
      map.items.set(key, { pieces: [piece], value: toNode(pair.value) })
      return
    }
    map = mapAt(map, key, piece)
    if (!map) return
  }
}

function mapAt(parent: GrowingMap, key: string, piece: ConfigPiece): GrowingMap | undefined {
  const item = parent.items.get(key) ?? { pieces: [], value: newMap() }
  parent.items.set(key, item)
  item.pieces.push(piece)
  return isGrowing(item.value) ? item.value : undefined
}

function toNode(node: AST.TOMLContentNode): ConfigNode {
  const [start, end] = node.range
  if (node.type === 'TOMLInlineTable') {
    const map = newMap()
    for (const pair of node.body) addPair(map, pair)
    return { ...freeze(map, start, end), layout: 'delimited' }
  }
  if (node.type === 'TOMLArray') {
    const items = node.elements.map((element, index): ConfigItem => {
      const [from, to] = element.range
      const piece = { start: from, end: to, prefix: '', isTable: false }
      return { key: index, pieces: [piece], value: toNode(element) }
    })
    return { kind: 'list', layout: 'delimited', start, end, items }
  }
  return { kind: 'scalar', layout: 'delimited', start, end, items: [] }
}

function freeze(map: GrowingMap, start: number, end: number): ConfigNode {
  const items = [...map.items].map(([key, { pieces, value }]): ConfigItem => {
    const whole = { start: pieces[0]?.start ?? start, end: pieces.at(-1)?.end ?? end }
    return { key, pieces, value: isGrowing(value) ? freeze(value, whole.start, whole.end) : value }
  })
  return { kind: 'map', layout: 'lines', start, end, items }
}
