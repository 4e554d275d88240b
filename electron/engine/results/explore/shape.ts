import { isRecord, numberOf } from '../../text/tree/json-values.ts'

export interface Shape {
  count: number
  /** Approximate, as compact JSON. */
  characters: number
  readonly types: Map<ValueType, number>
  readonly fields: Map<string, Shape>
  items: Shape | undefined
  /** Fewest and most elements. */
  lengths: [number, number]
  /** Least and greatest number, as the source writes them: a double rounds long ones. */
  least: Extreme | undefined
  greatest: Extreme | undefined
  /** Distinct scalars as JSON. */
  readonly samples: Set<string>
  hasMoreSamples: boolean
  /** Objects with many fields of one kind are maps: their fields are merged under `*`; these are sample names. */
  readonly keys: Set<string>
  keyCount: number
}

interface Extreme {
  readonly value: number
  readonly json: string
}

export type ValueType = 'object' | 'list' | 'string' | 'integer' | 'number' | 'boolean' | 'null'

const MAX_SAMPLES = 8
/** Longer strings aren't compared. */
const SAMPLE_LENGTH = 60
/** From this many fields, an object with only objects or lists counts as a map. */
const MAP_SIZE = 20
/** Share of objects with a field: higher in records, lower in maps. */
const RARE = 0.1

export const emptyShape = (): Shape => ({
  count: 0,
  characters: 0,
  types: new Map(),
  fields: new Map(),
  items: undefined,
  lengths: [Infinity, 0],
  least: undefined,
  greatest: undefined,
  samples: new Set(),
  hasMoreSamples: false,
  keys: new Set(),
  keyCount: 0,
})

/** Returns the characters as compact JSON. */
export function addToShape(shape: Shape, value: unknown): number {
  const type = typeOf(value)
  shape.count++
  shape.types.set(type, (shape.types.get(type) ?? 0) + 1)
  const characters = Array.isArray(value)
    ? addList(shape, value)
    : isRecord(value)
      ? addObject(shape, value)
      : addScalar(shape, value)
  shape.characters += characters
  return characters
}

/** Fields that hardly two objects share (package names, ids) become `*`, as a map. */
export function foldMaps(shape: Shape): void {
  if (shape.items) foldMaps(shape.items)
  const objects = shape.types.get('object') ?? 0
  const seen = [...shape.fields.values()].reduce((sum, field) => sum + field.count, 0)
  const isMap = shape.fields.size >= MAP_SIZE && objects > 1 && seen < shape.fields.size * objects * RARE
  if (isMap) {
    const names = [...shape.fields.keys()].filter((name) => name !== '*')
    const all = shape.fields.get('*') ?? emptyShape()
    for (const [name, field] of shape.fields) if (name !== '*') mergeShapes(all, field)
    for (const name of names.slice(0, MAX_SAMPLES)) if (shape.keys.size < MAX_SAMPLES) shape.keys.add(name)
    shape.keyCount += names.length
    shape.fields.clear()
    shape.fields.set('*', all)
  }
  for (const field of shape.fields.values()) foldMaps(field)
}

function mergeShapes(into: Shape, from: Shape): void {
  into.count += from.count
  into.characters += from.characters
  for (const [type, many] of from.types) into.types.set(type, (into.types.get(type) ?? 0) + many)
  for (const [name, field] of from.fields) {
    const known = into.fields.get(name)
    if (known) mergeShapes(known, field)
    else into.fields.set(name, field)
  }
  if (into.items && from.items) mergeShapes(into.items, from.items)
  else into.items ??= from.items
  into.lengths = [Math.min(into.lengths[0], from.lengths[0]), Math.max(into.lengths[1], from.lengths[1])]
  addExtremes(into, from.least)
  addExtremes(into, from.greatest)
  for (const sample of from.samples) addSample(into, sample)
  into.hasMoreSamples ||= from.hasMoreSamples
  for (const key of from.keys) if (into.keys.size < MAX_SAMPLES) into.keys.add(key)
  into.keyCount += from.keyCount
}

function addSample(shape: Shape, json: string): void {
  if (shape.samples.has(json)) return
  if (shape.samples.size < MAX_SAMPLES) shape.samples.add(json)
  else shape.hasMoreSamples = true
}

function addList(shape: Shape, list: readonly unknown[]): number {
  shape.lengths = [Math.min(shape.lengths[0], list.length), Math.max(shape.lengths[1], list.length)]
  let characters = 2
  for (const element of list) characters += addToShape((shape.items ??= emptyShape()), element) + 1
  return characters
}

function addObject(shape: Shape, record: Readonly<Record<string, unknown>>): number {
  const names = Object.keys(record)
  const isMap = names.length >= MAP_SIZE && names.every((name) => isContainer(record[name]))
  if (isMap) {
    shape.keyCount += names.length
    for (const name of names.slice(0, MAX_SAMPLES)) if (shape.keys.size < MAX_SAMPLES) shape.keys.add(name)
  }
  let characters = 2
  for (const name of names) {
    const key = isMap ? '*' : name
    const field = shape.fields.get(key) ?? emptyShape()
    shape.fields.set(key, field)
    characters += addToShape(field, record[name]) + name.length + 4
  }
  return characters
}

function addScalar(shape: Shape, value: unknown): number {
  const isLong = typeof value === 'string' && value.length > SAMPLE_LENGTH
  const json = JSON.stringify(isLong ? `${value.slice(0, SAMPLE_LENGTH)}…` : value)
  addSample(shape, json)
  const number = numberOf(value)
  if (number !== undefined) addExtremes(shape, { value: number, json })
  return typeof value === 'string' ? value.length + 2 : json.length
}

function addExtremes(shape: Shape, found: Extreme | undefined): void {
  if (found === undefined) return
  if (shape.least === undefined || isBelow(found, shape.least)) shape.least = found
  if (shape.greatest === undefined || isBelow(shape.greatest, found)) shape.greatest = found
}

const INTEGER = /^-?\d+$/

/** Long integers that a double makes equal differ. */
const isBelow = (a: Extreme, b: Extreme): boolean =>
  a.value === b.value && a.json !== b.json && INTEGER.test(a.json) && INTEGER.test(b.json)
    ? BigInt(a.json) < BigInt(b.json)
    : a.value < b.value

const isContainer = (value: unknown): boolean => Array.isArray(value) || isRecord(value)

function typeOf(value: unknown): ValueType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  const number = numberOf(value)
  if (number !== undefined) return Number.isInteger(number) ? 'integer' : 'number'
  if (typeof value === 'string') return 'string'
  return typeof value === 'boolean' ? 'boolean' : 'object'
}
