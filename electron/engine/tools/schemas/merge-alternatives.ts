import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { listOf, without } from './change-inner.ts'
import { targetOf } from './plain-references.ts'

const COMBINING = ['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'enum', 'const'] as const
const DEEPEST = 20

interface Shape {
  readonly properties: ReadonlyMap<string, Values>
  readonly required: readonly string[]
  /** To other names. */
  readonly isClosed: boolean
  /** Unsatisfiable; its names are kept anyway. */
  readonly isNever: boolean
}

interface Values {
  readonly schemas: readonly unknown[]
  /** Or anything: one alternative doesn't mention this name. */
  readonly isOpen: boolean
  /** In combined schemas. */
  readonly size: number
}

/** Above this a parameter accepts any value, because nested alternatives double with each step. */
const LARGEST = 100
const ANY_VALUE: Values = { schemas: [{}], isOpen: false, size: 1 }
const limited = (values: Values): Values => (values.size > LARGEST ? ANY_VALUE : values)

/**
 * Many clients' APIs reject the whole tool list for top-level `anyOf`, `oneOf` and `allOf`. All alternatives'
 * parameters become properties, and the description tells valid combinations; accepts everything it accepted before.
 */
export function mergeAlternatives(root: JsonObject): JsonObject {
  if (!COMBINING.some((key) => key in root)) return root
  const shapes = new Shapes(root)
  const shape = shapes.of(root, 0)
  const { properties, required, isClosed } = shape
  const rest = without(root, [...COMBINING, 'unevaluatedProperties'])
  const words = [root['description'], ...['anyOf', 'oneOf'].map((key) => groups(shapes, root, key))].filter(
    (text) => typeof text === 'string',
  )
  return {
    ...rest,
    ...(words.length === 0 ? {} : { description: words.join(' ') }),
    properties: Object.fromEntries([...properties].map(([name, values]) => [name, schemaOf(values)])),
    ...(required.length === 0 ? {} : { required }),
    ...(isClosed ? { additionalProperties: false } : {}),
  }
}

/** Computed once, because definitions are referenced often. */
class Shapes {
  readonly #root: JsonObject
  readonly #known = new WeakMap<JsonObject, Shape>()

  constructor(root: JsonObject) {
    this.#root = root
  }

  of(schema: unknown, depth: number): Shape {
    if (schema === false) return { ...ANYTHING, isNever: true }
    if (!isJsonObject(schema) || depth > DEEPEST) return ANYTHING
    const known = this.#known.get(schema)
    if (known) return known
    const shape = this.#workOut(schema, depth)
    this.#known.set(schema, shape)
    return shape
  }

  #workOut(schema: JsonObject, depth: number): Shape {
    const types = schema['type'] === undefined ? ['object'] : [schema['type']].flat()
    const inner = (part: unknown): Shape => this.of(part, depth + 1)
    const ref = schema['$ref']
    const parts: Shape[] = [
      ...(typeof ref === 'string' ? [inner(targetOf(this.#root, ref))] : []),
      ...listOf(schema['allOf']).map(inner),
      ...['anyOf', 'oneOf'].flatMap((key) =>
        Array.isArray(schema[key]) ? [either(schema[key].map(inner))] : [],
      ),
      // A top-level condition stays; one in an alternative goes with it.
      ...(depth > 0 && 'if' in schema ? [either([inner(schema['then']), inner(schema['else'])])] : []),
    ]
    const own = { ...ownShape(schema), isNever: !types.includes('object') }
    return parts.reduce((sum, part) => both(sum, part), own)
  }
}

const ANYTHING: Shape = { properties: new Map(), required: [], isClosed: false, isNever: false }

function ownShape(schema: JsonObject): Omit<Shape, 'isNever'> {
  const { properties, required, additionalProperties, patternProperties } = schema
  const entries = Object.entries(isJsonObject(properties) ? properties : {})
  return {
    properties: new Map(entries.map(([name, value]) => [name, { schemas: [value], isOpen: false, size: 1 }])),
    required: listOf(required).filter((name) => typeof name === 'string'),
    isClosed: additionalProperties === false && patternProperties === undefined,
  }
}

function both(a: Shape, b: Shape): Shape {
  const properties = new Map(a.properties)
  for (const [name, values] of b.properties) {
    const known = properties.get(name)
    properties.set(name, known ? bothValues(known, values) : values)
  }
  return {
    properties,
    required: [...new Set([...a.required, ...b.required])],
    isClosed: a.isClosed || b.isClosed,
    isNever: a.isNever || b.isNever,
  }
}

function bothValues(a: Values, b: Values): Values {
  if (a.isOpen !== b.isOpen) return a.isOpen ? b : a
  const [one, other] = [schemaOf({ ...a, isOpen: false }), schemaOf({ ...b, isOpen: false })]
  if (isDeepStrictEqual(one, other)) return a
  const size = a.size + b.size
  return limited(
    a.isOpen
      ? { schemas: [...a.schemas, ...b.schemas], isOpen: true, size }
      : { schemas: [{ allOf: [one, other] }], isOpen: false, size },
  )
}

function either(shapes: readonly Shape[]): Shape {
  const possible = shapes.filter(({ isNever }) => !isNever)
  const names = [...new Set(shapes.flatMap(({ properties }) => [...properties.keys()]))]
  const valuesOf = (name: string): Values => {
    const saying = shapes.flatMap(({ properties }) => properties.get(name) ?? [])
    const schemas = saying.flatMap((values) => values.schemas)
    return limited({
      size: saying.reduce((sum, { size }) => sum + size, 0),
      schemas: schemas.filter(
        (schema, index) => schemas.findIndex((each) => isDeepStrictEqual(each, schema)) === index,
      ),
      isOpen:
        saying.some(({ isOpen }) => isOpen) ||
        possible.some(({ properties, isClosed }) => !isClosed && !properties.has(name)),
    })
  }
  return {
    properties: new Map(names.map((name) => [name, valuesOf(name)])),
    required: (possible[0]?.required ?? []).filter((name) =>
      possible.every(({ required }) => required.includes(name)),
    ),
    isClosed: possible.length > 0 && possible.every(({ isClosed }) => isClosed),
    isNever: possible.length === 0,
  }
}

function schemaOf({ schemas, isOpen }: Omit<Values, 'size'>): unknown {
  const [only] = schemas
  if (!isOpen && schemas.length === 1) return only
  return { ...sharedDescription(schemas), anyOf: isOpen ? [...schemas, {}] : schemas }
}

/** Clients show a parameter's own description and overlook that of its only form. */
function sharedDescription(schemas: readonly unknown[]): JsonObject {
  const [only] = schemas
  const description = schemas.length === 1 && isJsonObject(only) ? only['description'] : undefined
  return typeof description === 'string' ? { description: description } : {}
}

function groups(shapes: Shapes, root: JsonObject, key: string): string | undefined {
  const sets = listOf(root[key]).flatMap((part) => {
    const shape = shapes.of(part, 1)
    return shape.isNever ? [] : [shape.required.join(' and ')]
  })
  const named = [...new Set(sets.filter((set) => set !== ''))]
  if (named.length < 2) return undefined
  return `${key === 'oneOf' ? 'Needs exactly one of' : 'Needs at least one of'}: ${named.join('; ')}.`
}
