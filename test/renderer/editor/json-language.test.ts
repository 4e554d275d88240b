import { expect, test } from 'vitest'
import { settingsJsonSchema } from '../../../electron/engine/settings/settings-json-schema.ts'
import { createJsonLanguage } from '../../../renderer/editor/json-language.ts'

const language = createJsonLanguage(JSON.parse(settingsJsonSchema()) as object)
/** The text without its marker, and the marker's position. */
const at = (marked: string): [text: string, offset: number] => [marked.replace('|', ''), marked.indexOf('|')]

test('proposes the keys that may stand here and are not there yet, behind comments too', async () => {
  const found = await language.complete(...at('{\n  // mine\n  "logLevel": "info",\n  "co|"\n}'))
  const labels = found.map(({ label }) => label)
  expect(labels).toContain('compression')
  expect(labels).not.toContain('logLevel')
})

test('proposes the values of a key, each with what it means, in place of what stands there', async () => {
  const [text, offset] = at('{ "compression": { "strategy": "au|" } }')
  const found = await language.complete(text, offset)
  expect(found.map(({ label }) => label)).toEqual(expect.arrayContaining(['"auto"', '"preview"', '"off"']))
  const [first] = found
  expect(text.slice(first?.from, first?.to)).toBe('"au"')
  expect(first?.detail).toContain('chosen from the content')
})

test('knows the settings of a server and of its tools', async () => {
  const found = await language.complete(
    ...at('{ "servers": { "a": { "command": "x", "tools": { "t": { | } } } } }'),
  )
  expect(found.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['hidden', 'description', 'hideParameters', 'masking']),
  )
})

test('explains a key in plain words, without the signs of Markdown', async () => {
  const found = await language.explain(...at('{ "compression": { "tokenThre|shold": 5 } }'))
  expect(found?.words).toBe('Results with at most this many tokens (o200k_base) pass untouched.')
  expect(await language.explain(...at('{ "unknown|": 1 }'))).toBeUndefined()
})
