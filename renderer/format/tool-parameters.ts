import { readSchema, type FieldKind } from './form-schema.ts'
import { isRecord } from '../../shared/is-record.ts'

export interface ToolParameter {
  /** Dotted if nested, as in settings. */
  readonly path: string
  readonly kind: FieldKind
  readonly required: boolean
  readonly description: string
  readonly depth: number
}

const DEEPEST = 3

export function toolParameters(schema: unknown, prefix = '', depth = 0): ToolParameter[] {
  const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {}
  return readSchema(schema).fields.flatMap(({ name, kind, required, description }) => [
    { path: prefix + name, kind, required, description, depth },
    ...(depth + 1 < DEEPEST ? toolParameters(properties[name], `${prefix}${name}.`, depth + 1) : []),
  ])
}
