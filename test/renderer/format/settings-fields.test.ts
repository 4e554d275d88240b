import { expect, test } from 'vitest'
import { settingsJsonSchema } from '../../../electron/engine/settings/settings-json-schema.ts'
import {
  builtInWords,
  fieldFits,
  settingsGroups,
  sizeWords,
  valueAt,
} from '../../../renderer/format/settings-fields.ts'

const groups = settingsGroups(JSON.parse(settingsJsonSchema()) as Record<string, unknown>)
const fieldOf = (path: string) => {
  const field = groups.flatMap(({ fields }) => fields).find((each) => each.path.join('.') === path)
  if (!field) throw new Error(`There is no field for ${path}.`)
  return field
}

test('the form has every setting of the real schema but those with a screen or form of their own', () => {
  const properties = (JSON.parse(settingsJsonSchema()) as { properties: object }).properties
  const elsewhere = [
    '$schema',
    'servers',
    'clients',
    'budgets',
    'profiles',
    'profile',
    'mcpServers',
    'inputs',
    'guardDetectors',
    'builtIn',
  ]
  const shown = new Set(groups.flatMap(({ fields }) => fields.map(({ path }) => path[0])))
  expect(Object.keys(properties).filter((name) => !elsewhere.includes(name) && !shown.has(name))).toEqual([])
})

test('what is built in is said in words', () => {
  expect(builtInWords(fieldOf('compression.tokenThreshold'))).toBe('2,000')
  expect(builtInWords(fieldOf('compression.resources'))).toBe('yes')
  expect(builtInWords(fieldOf('results.maxBytes'))).toBe('1.0 GB')
  expect(builtInWords(fieldOf('http.port'))).toBe('7424')
  expect(sizeWords(fieldOf('results.maxBytes'), 2_500_000)).toBe('2.5 MB')
  expect(sizeWords(fieldOf('results.ttlHours'), 24)).toBe('')
})

test('a setting is found by label, by its name in config.json and by its description', () => {
  const [group] = groups
  const field = fieldOf('compression.maxOutputTokens')
  if (!group) throw new Error('There are no groups.')
  for (const wanted of ['Shortened to', 'compression.maxOutputTokens', 'header included', ' SHORTENING '])
    expect(fieldFits(group, field, wanted), wanted).toBe(true)
  expect(fieldFits(group, field, 'quarantine')).toBe(false)
})

test('values stand at their path or nowhere', () => {
  expect(valueAt({ a: { b: 0 } }, ['a', 'b'])).toBe(0)
  expect(valueAt({ a: 1 }, ['a', 'b'])).toBeUndefined()
  expect(valueAt(undefined, ['a'])).toBeUndefined()
})

test('no description sends the user to a file that is not in the app', () => {
  const descriptions = groups.flatMap(({ fields }) => fields.map(({ description }) => description ?? ''))
  expect(descriptions.filter((text) => /docs\/|\.md\b/.test(text))).toEqual([])
})
