import { isRecord } from '../../shared/is-record.ts'

/** set: several choices. lines: one text per line. json: everything else. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'set' | 'lines' | 'json'

export interface FormField {
  readonly name: string
  readonly kind: FieldKind
  readonly required: boolean
  readonly description: string
  readonly choices: readonly string[]
  readonly isInteger: boolean
  readonly fallback: unknown
}

export interface FormSchema {
  readonly fields: readonly FormField[]
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

function kindOf(schema: Readonly<Record<string, unknown>>): FieldKind {
  if (isTexts(schema['enum'])) return 'choice'
  const items = schema['items']
  if (schema['type'] === 'array' && isRecord(items)) {
    if (isTexts(items['enum'])) return 'set'
    if (items['type'] === 'string') return 'lines'
  }
  const type = Array.isArray(schema['type'])
    ? schema['type'].find((name: unknown) => name !== 'null')
    : schema['type']
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'boolean' ? 'boolean' : 'json'
}

function choicesOf(schema: Readonly<Record<string, unknown>>): string[] {
  const items = schema['items']
  const choices = schema['enum'] ?? (isRecord(items) ? items['enum'] : undefined)
  return Array.isArray(choices) ? choices.map(String) : []
}

/** Complex properties as JSON. */
export function readSchema(schema: unknown): FormSchema {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return { fields: [] }
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const fields = Object.entries(schema['properties']).map(([name, property]): FormField => {
    const details = isRecord(property) ? property : {}
    return {
      name,
      kind: kindOf(details),
      required: required.includes(name),
      description: typeof details['description'] === 'string' ? details['description'] : '',
      choices: choicesOf(details),
      isInteger: details['type'] === 'integer',
      fallback: details['default'],
    }
  })
  return { fields: fields.sort((a, b) => Number(b.required) - Number(a.required)) }
}
