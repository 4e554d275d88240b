import { readSchema, type FormField } from './form-schema.ts'

export interface SettingsField extends FormField {
  readonly path: readonly string[]
}

export interface SettingsGroup {
  readonly name: string
  readonly label: string
  readonly about: string
  readonly fields: readonly SettingsField[]
}

const labels: Readonly<Record<string, string>> = {
  compression: 'Shortening',
  cache: 'Cache',
  guard: 'Guard',
  masking: 'Personal data',
  results: 'Kept originals',
  ledger: 'Record of calls',
  limits: 'Limits',
  http: 'Local address',
  quarantine: 'Quarantine',
  exploration: 'Exploration',
  approvals: 'Approvals',
}
/** What has a screen of its own, or no simple field. */
const elsewhere = new Set(['servers', '$schema', 'mcpServers', 'guardDetectors'])

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The form of the settings, made from their JSON Schema: one group for each object, the rest in front. */
export function settingsGroups(schema: Readonly<Record<string, unknown>>): SettingsGroup[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const single: SettingsField[] = []
  const groups: SettingsGroup[] = []
  for (const [name, property] of Object.entries(properties)) {
    if (elsewhere.has(name) || !isRecord(property)) continue
    const fields = readSchema(property).fields
    if (fields.length === 0) {
      const [field] = readSchema({ properties: { [name]: property } }).fields
      if (field && field.kind !== 'json') single.push({ ...field, path: [name] })
      continue
    }
    groups.push({
      name,
      label: labels[name] ?? name,
      about: typeof property['description'] === 'string' ? property['description'] : '',
      fields: fields.map((field) => ({ ...field, path: [name, field.name] })),
    })
  }
  if (single.length > 0) groups.push({ name: 'general', label: 'General', about: '', fields: single })
  return groups
}

/** The value that stands at a path, if any. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root
  for (const key of path) value = isRecord(value) ? value[key] : undefined
  return value
}

/** `maxOutputTokens` as people read it: Max output tokens. */
export const readableName = (name: string): string => {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
