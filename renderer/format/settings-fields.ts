import { BUILT_IN_POLICY } from '../../shared/policy.ts'
import { readSchema, type FormField } from './form-schema.ts'
import { formatBytes, formatCount } from './numbers.ts'
import { isRecord } from '../../shared/is-record.ts'

export interface SettingsField extends FormField {
  readonly path: readonly string[]
  readonly label: string
}

export interface SettingsGroup {
  readonly name: string
  readonly label: string
  readonly about: string
  readonly fields: readonly SettingsField[]
}

/** In display order; others follow. */
const groupWords: Readonly<Record<string, readonly [label: string, about?: string]>> = {
  compression: ['Shortening'],
  guard: ['Guard'],
  approvals: ['Approvals', 'What a server offers when it is seen for the first time.'],
  masking: ['Personal data'],
  cache: ['Cache', 'Results that are used again, of tools that only read.'],
  cacheLimits: ['Size of the cache', 'What was not used for longest goes first.'],
  results: ['Kept originals'],
  quarantine: ['Quarantine', 'What was stopped, until you decide.'],
  ledger: ['Record of calls'],
  exploration: ['Exploration', 'The tools with which the model reads back what was left out.'],
  goals: ['Goals', 'What results are shortened for.'],
  limits: ['Limits'],
  http: ['Local address'],
  network: ['Network', 'How remote servers, sign-ins, downloads and endpoints are reached.'],
  telemetry: ['OpenTelemetry', 'Traces and figures of calls, for those who collect them.'],
}
const fieldWords: Readonly<Record<string, string>> = {
  'compression.strategy': 'How',
  'compression.tokenThreshold': 'Untouched up to, tokens',
  'compression.maxOutputTokens': 'Shortened to, tokens',
  'compression.holdOut': 'Passes whole, one result of',
  'compression.goalParameter': 'The model may name a goal',
  'compression.resources': 'Resources too',
  'guard.results': 'Attacks in results',
  'guard.arguments': 'Attacks in arguments',
  'guard.flow': "Another server's text in arguments",
  'guard.threshold': 'An attack from, 0 to 1',
  'guard.markFrom': 'A note for the model from, 0 to 1',
  'guard.controlCharacters': 'What hides text',
  'masking.direction': 'Hidden from',
  'masking.types': 'What counts',
  'masking.customPatterns': 'Patterns of your own',
  'compression.escalationSeconds': 'A repeated call gets more within, seconds',
  'compression.escalationFactor': 'How many times more',
  'cache.enabled': 'On',
  'cache.readOnly': 'Tools only read',
  'cache.ttlSeconds': 'Used again for, seconds',
  'cache.errors': 'Failures too',
  'cache.shortened': 'Shortened forms too',
  'cache.repeats': 'Repeated results as a reference',
  'cacheLimits.maxEntries': 'Entries at the most',
  'cacheLimits.maxBytes': 'All together, bytes',
  'results.ttlHours': 'Kept for, hours',
  'results.maxBytes': 'All together, bytes',
  'results.references': 'Arguments may name them',
  'results.pathInHeader': 'Also as a file for apps',
  'quarantine.keepDays': 'Kept for, days',
  'quarantine.maxBytes': 'All together, bytes',
  'ledger.keepDays': 'Kept for, days',
  'exploration.freshCalls': 'May call by themselves',
  'goals.fromPrompts': 'From what you ask the app',
  'limits.maxMessageBytes': 'Largest message, bytes',
  'http.port': 'Port',
  'network.caFile': 'Also trusted, file',
  'telemetry.endpoint': 'Sent to',
  'telemetry.headers': 'With headers',
  'approvals.firstSight': 'New servers',
  logLevel: 'Log level',
}
const elsewhere = new Set([
  'servers',
  'clients',
  'budgets',
  'profiles',
  'profile',
  '$schema',
  'mcpServers',
  'inputs',
  'guardDetectors',
])

export function settingsGroups(schema: Readonly<Record<string, unknown>>): SettingsGroup[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const single: SettingsField[] = []
  const groups: SettingsGroup[] = []
  for (const [name, property] of Object.entries(properties)) {
    if (elsewhere.has(name) || !isRecord(property)) continue
    const fields = readSchema(property).fields
    if (fields.length === 0) {
      const [field] = readSchema({ properties: { [name]: property } }).fields
      if (field && field.kind !== 'json') single.push(toField(field, [name]))
      continue
    }
    const [label, about] = groupWords[name] ?? [readableName(name)]
    groups.push({
      name,
      label,
      about: about ?? (typeof property['description'] === 'string' ? property['description'] : ''),
      fields: fields.map((field) => toField(field, [name, field.name])),
    })
  }
  const order = Object.keys(groupWords)
  const placeOf = ({ name }: SettingsGroup): number =>
    order.includes(name) ? order.indexOf(name) : order.length
  groups.sort((a, b) => placeOf(a) - placeOf(b))
  return single.length > 0
    ? [...groups, { name: 'general', label: 'General', about: '', fields: single }]
    : groups
}

const toField = (field: FormField, path: readonly string[]): SettingsField => ({
  ...field,
  path,
  label: fieldWords[path.join('.')] ?? readableName(field.name),
})

/** By label, name, group or description. */
export const fieldFits = (group: SettingsGroup, field: SettingsField, wanted: string): boolean =>
  `${group.label} ${field.label} ${field.path.join('.')} ${field.description}`
    .toLowerCase()
    .includes(wanted.trim().toLowerCase())

export function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root
  for (const key of path) value = isRecord(value) ? value[key] : undefined
  return value
}

/** Effective without the setting. */
export function builtInWords(field: SettingsField): string {
  const value = valueAt(BUILT_IN_POLICY, field.path) ?? field.fallback
  if (value === undefined) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return sizeWords(field, value) || formatPlain(field, value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Empty unless bytes. */
export const sizeWords = (field: SettingsField, value: unknown): string =>
  field.name.endsWith('Bytes') && typeof value === 'number' ? formatBytes(value) : ''

/** A port is a name, not an amount. */
const formatPlain = (field: SettingsField, value: number): string =>
  field.name === 'port' || !Number.isInteger(value) ? String(value) : formatCount(value)

/** `maxOutputTokens` → Max output tokens. */
const readableName = (name: string): string => {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
