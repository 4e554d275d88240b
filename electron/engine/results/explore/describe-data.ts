import type { Shape, ValueType } from './shape.ts'
import { clip } from './token-counter.ts'

export interface DescribeOptions {
  readonly maxDepth: number
  readonly samples: number
  readonly maxFields: number
  readonly tokensPerCharacter: number
}

/** Smaller containers omit it. */
const WORTH_SAYING = 50

/** Indented: each field's type, frequency, range or examples, and tokens. */
export function describeShape(shape: Shape, options: DescribeOptions): string {
  return [capitalised(typeOf(shape, options)), ...below(shape, options, 1)].join('\n')
}

function below(shape: Shape, options: DescribeOptions, depth: number): string[] {
  const indent = ' '.repeat(depth)
  const inside = innermost(shape)
  if (inside.fields.size === 0) return []
  if (depth > options.maxDepth)
    return [`${indent}… ${clip([...inside.fields.keys()].join(', '), 200)} (deeper than max_depth)`]
  const objects = inside.types.get('object') ?? 0
  const lines = [...inside.fields].slice(0, options.maxFields).flatMap(([name, field]) => {
    const isMap = name === '*' && inside.keyCount > 0
    const often = !isMap && field.count < objects ? ` (in ${number(field.count)} of ${number(objects)})` : ''
    const keys = isMap
      ? ` (${number(inside.keyCount)} names, such as ${[...inside.keys]
          .slice(0, options.samples)
          .map((key) => JSON.stringify(clip(key, 60)))
          .join(', ')})`
      : ''
    return [
      `${indent}${fieldName(name)}${keys}: ${typeOf(field, options)}${often}`,
      ...below(field, options, depth + 1),
    ]
  })
  const more = inside.fields.size - options.maxFields
  return more > 0 ? [...lines, `${indent}… and ${count(more, 'more field')}`] : lines
}

/** Skips lists of lists. */
function innermost(shape: Shape): Shape {
  return shape.items && shape.fields.size === 0 ? innermost(shape.items) : shape
}

const fieldName = (name: string) =>
  /^[^.[\]"\s]+$/.test(name) ? name : `[${JSON.stringify(clip(name, 80))}]`

function typeOf(shape: Shape, options: DescribeOptions): string {
  const types = [...shape.types.keys()].filter((type) => !(type === 'integer' && shape.types.has('number')))
  const words = types.map((type) => describeType(type, shape, options)).join(' or ')
  const isScalar = !shape.types.has('list') && !shape.types.has('object')
  return words + (isScalar ? values(shape, types, options) : size(shape, options))
}

function describeType(type: ValueType, shape: Shape, options: DescribeOptions): string {
  if (type !== 'list') return type
  const [fewest, most] = shape.lengths
  const length = fewest === most ? number(most) : `${number(fewest)} to ${number(most)}`
  if (!shape.items) return 'empty list'
  const items = shape.items
  const each = [...items.types.keys()].map((inner) => `${inner}s`.replace('nulls', 'null')).join(' or ')
  const isScalar = !items.types.has('list') && !items.types.has('object')
  const examples = isScalar ? values(items, [...items.types.keys()], options) : ''
  return items.types.has('list') && items.types.size === 1
    ? `list of ${length} × ${typeOf(items, options)}`
    : `list of ${length} ${each}${examples}`
}

function values(shape: Shape, types: readonly ValueType[], options: DescribeOptions): string {
  const { least, greatest } = shape
  const isNumeric = types.every((type) => type === 'integer' || type === 'number' || type === 'null')
  if (isNumeric && least && greatest)
    return least.json === greatest.json ? ` ${least.json}` : ` ${least.json} to ${greatest.json}`
  const samples = [...shape.samples].filter((sample) => sample !== 'null')
  if (samples.length === 0 || types.every((type) => type === 'null' || type === 'boolean')) return ''
  const isChoice = !shape.hasMoreSamples && shape.count >= samples.length * 3 && samples.length > 1
  const shown = samples.slice(0, isChoice ? samples.length : options.samples).join(', ')
  return isChoice ? `, one of ${shown}` : shape.count === 1 ? ` ${shown}` : `, e.g. ${shown}`
}

function size(shape: Shape, options: DescribeOptions): string {
  const tokens = Math.round(shape.characters * options.tokensPerCharacter)
  return tokens < WORTH_SAYING ? '' : `, ~${number(tokens)} tokens`
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
export const number = (value: number): string => value.toLocaleString('en-US')
const count = (many: number, what: string) => `${number(many)} ${what}${many === 1 ? '' : 's'}`
