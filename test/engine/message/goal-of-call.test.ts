import { expect, test } from 'vitest'
import { endingOf, endingOfCall } from '../../../electron/engine/message/goal-of-call.ts'

test.each([
  ['/etc/app/server.CONF', 'conf'],
  ['file:///srv/a.b/values.yaml?ref=main#top', 'yaml'],
  ['https://example.org/', undefined],
  ['README', undefined],
  ['/srv/v1.2/notes', undefined],
])('the ending of %s', (path, ending) => expect(endingOf(path)).toBe(ending))

test('a call has the ending of the one kind of file that it names', () => {
  expect(endingOfCall({ arguments: { path: 'a/b.toml', head: 20 } })).toBe('toml')
  expect(endingOfCall({ arguments: { file: 'a.ini', path: 'b.ini' } })).toBe('ini')
  expect(endingOfCall({ arguments: { file: 'a.ini', path: 'b.csv' } })).toBeUndefined()
  expect(endingOfCall({ arguments: { query: 'main.ts' } })).toBeUndefined()
  expect(endingOfCall({ arguments: undefined })).toBeUndefined()
})
