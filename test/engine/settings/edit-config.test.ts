import { expect, test } from 'vitest'
import { editConfig } from '../../../electron/engine/settings/edit-config.ts'
import { parseSettings } from '../../../electron/engine/settings/parse-settings.ts'
import { STARTER_CONFIG } from '../../../electron/engine/settings/starter-config.ts'

const a = ['servers', 'a']

test.each([
  '{\n  "servers": {\n    "a": { "command": "x" },\n  },\n}\n',
  '{\n  "servers": {\n    "a": { "command": "x" }, // mine\n  },\n}\n',
  '{ "servers": { "a": { "command": "x" } , } }',
])('the only server goes, though a comma follows it: %j', (text) => {
  const edited = editConfig(text, [{ path: a, value: undefined }])
  expect(parseSettings(edited).settings?.servers).toEqual({})
  expect(edited.includes('// mine')).toBe(text.includes('// mine'))
})

test('the slashes before the examples can be taken away after a server was added, and it goes again', () => {
  const edited = editConfig(STARTER_CONFIG, [{ path: a, value: { command: 'x' } }])
  const tried = edited.replaceAll(/^( +)\/\/ (?=["}\]]| {2})/gm, '$1')
  expect(Object.keys(parseSettings(tried).settings?.servers ?? {})).toEqual(['a', 'files', 'remote'])
  const back = editConfig(edited, [{ path: a, value: undefined }])
  expect(parseSettings(back).settings?.servers).toEqual({})
})
