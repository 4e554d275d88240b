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

test('a byte order mark, line ends and the indentation stay', () => {
  const text = '\uFEFF{\r\n\t"servers": {\r\n\t\t"a": { "command": "x" }\r\n\t}\r\n}\r\n'
  const edited = editConfig(text, [{ path: ['servers', 'b'], value: { command: 'y' } }])
  expect(edited.startsWith('\uFEFF{\r\n\t"servers": {\r\n')).toBe(true)
  expect(edited).toContain('\r\n\t\t"b": {\r\n\t\t\t"command": "y"\r\n\t\t}')
  expect(edited.replaceAll('\r\n', '')).not.toContain('\n')
})

test('a comma is added only before examples, and only after the last entry', () => {
  const text =
    '{\n  "servers": {\n    "a": { "command": "x" },\n    "b": { "command": "y" }\n    // "c": { "command": "z" }\n  }\n}\n'
  const edited = editConfig(text, [{ path: [...a, 'command'], value: 'w' }])
  expect(edited).toBe(text.replace('"x"', '"w"'))
  const last = editConfig(text, [{ path: ['servers', 'b'], value: { command: 'v' } }])
  expect(last).toContain('"v"')
  expect(last.split('// "c"')[0]?.trimEnd().at(-1)).toBe(',')
})

test('of several servers one goes, and the comma after it', () => {
  const text = '{ "servers": { "a": { "command": "x" }, "b": { "command": "y" } } }'
  const edited = editConfig(text, [{ path: a, value: undefined }])
  expect(JSON.parse(edited)).toEqual({ servers: { b: { command: 'y' } } })
})

test.each([
  ['', ['network', 'caFile']],
  ['{}', ['network', 'caFile']],
  ['{ "network": {} }', ['network', 'caFile']],
  ['{ "network": [] }', ['network', 'caFile']],
  ['{ "servers": {} }', [...a, 'tools', 'x']],
])('to delete what is not there changes nothing: %j', (text, path) => {
  expect(editConfig(text, [{ path, value: undefined }])).toBe(text)
})
