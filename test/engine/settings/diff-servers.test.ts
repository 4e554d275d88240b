import { describe, expect, test } from 'vitest'
import { diffServers } from '../../../electron/engine/settings/diff-servers.ts'
import { serverHash } from '../../../electron/engine/settings/server-hash.ts'
import { Settings } from '../../../shared/settings.ts'
import type { ServerSettings } from '../../../shared/settings.ts'

const withServers = (servers: Record<string, ServerSettings>, rest: object = {}) =>
  Settings.parse({ servers, ...rest })
const none = { added: [], removed: [], restarted: [], reshaped: [] }

describe('diffServers', () => {
  const before = withServers({
    a: { command: 'x', args: ['1'], env: { A: '1', B: '2' } },
    b: { url: 'http://h' },
  })

  test.each<[string, Settings, object]>([
    ['nothing', before, none],
    [
      'another order of keys',
      withServers({ b: { url: 'http://h' }, a: { env: { B: '2', A: '1' }, args: ['1'], command: 'x' } }),
      none,
    ],
    ['a new server', withServers({ ...before.servers, c: { command: 'y' } }), { ...none, added: ['c'] }],
    ['one gone', withServers({ b: { url: 'http://h' } }), { ...none, removed: ['a'] }],
    [
      'one disabled',
      withServers({ ...before.servers, b: { url: 'http://h', disabled: true } }),
      { ...none, removed: ['b'] },
    ],
    [
      'another argument',
      withServers({ ...before.servers, a: { command: 'x', args: ['2'], env: { A: '1', B: '2' } } }),
      { ...none, restarted: ['a'] },
    ],
    [
      'another header',
      withServers({ ...before.servers, b: { url: 'http://h', headers: { A: 'b' } } }),
      { ...none, restarted: ['b'] },
    ],
    [
      'a hidden tool',
      withServers({ ...before.servers, b: { url: 'http://h', tools: { t: { hidden: true } } } }),
      { ...none, reshaped: ['b'] },
    ],
    [
      'a time limit',
      withServers({ ...before.servers, b: { url: 'http://h', timeoutSeconds: 5 } }),
      { ...none, reshaped: ['b'] },
    ],
    [
      'a global policy',
      withServers(before.servers, { compression: { goalParameter: 'never' } }),
      { ...none, reshaped: ['a', 'b'] },
    ],
    ['a port', withServers(before.servers, { http: { port: 1 } }), none],
  ])('%s', (_, after, expected) => {
    expect(diffServers(before, after)).toEqual(expected)
  })

  test('a disabled server that is enabled is a new one', () => {
    const off = withServers({ a: { command: 'x', disabled: true } })
    expect(diffServers(off, withServers({ a: { command: 'x' } }))).toEqual({ ...none, added: ['a'] })
  })
})

test('the hash of a server is that of its launch', () => {
  const server: ServerSettings = { command: 'x', args: ['1'] }
  expect(serverHash(server)).toMatch(/^[0-9a-f]{64}$/)
  expect(serverHash({ ...server, env: {}, tools: { t: { hidden: true } } })).toBe(serverHash(server))
  // The order of arguments matters, that of variables does not.
  expect(serverHash({ command: 'x', args: ['a', 'b'] })).not.toBe(
    serverHash({ command: 'x', args: ['b', 'a'] }),
  )
  expect(serverHash({ command: 'x', args: ['a b'] })).not.toBe(serverHash({ command: 'x', args: ['a', 'b'] }))
})
