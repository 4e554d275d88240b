export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'json'

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

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function kindOf(schema: Readonly<Record<string, unknown>>): FieldKind {
  if (Array.isArray(schema['enum']) && schema['enum'].every((value) => typeof value === 'string'))
    return 'choice'
  const type = Array.isArray(schema['type'])
    ? schema['type'].find((name: unknown) => name !== 'null')
    : schema['type']
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'boolean' ? 'boolean' : 'json'
}

/** The fields of a form for a JSON Schema's properties; what has no simple field is entered as JSON. */
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
      choices: Array.isArray(details['enum']) ? details['enum'].map(String) : [],
      isInteger: details['type'] === 'integer',
      fallback: details['default'],
    }
  })
  return { fields: fields.sort((a, b) => Number(b.required) - Number(a.required)) }
}
