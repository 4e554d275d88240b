import { describe, expect, test } from 'vitest'
import { expandServer, placeholderValuesOf, secretsOf } from '../../../electron/engine/settings/expand-env.ts'

const env = { TOKEN: 'abc', HOST: 'example.com', EMPTY: '' }

describe('expandServer', () => {
  test('replaces ${env:NAME} in everything that starts or reaches a server', () => {
    expect(
      expandServer(
        's',
        {
          command: '${env:HOST}/bin',
          args: ['--key=${env:TOKEN}', '${env:TOKEN}${env:EMPTY}', '$HOME', '${other}'],
          cwd: '/${env:HOST}',
          env: { A: '${env:TOKEN}' },
          tools: { t: { description: '${env:TOKEN}' } },
        },
        env,
      ),
    ).toEqual({
      command: 'example.com/bin',
      args: ['--key=abc', 'abc', '$HOME', '${other}'],
      cwd: '/example.com',
      env: { A: 'abc' },
      tools: { t: { description: '${env:TOKEN}' } },
    })
    expect(
      expandServer(
        's',
        { url: 'https://${env:HOST}/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } },
        env,
      ),
    ).toEqual({ url: 'https://example.com/mcp', headers: { Authorization: 'Bearer abc' } })
  })

  test('a value is not expanded again', () => {
    expect(expandServer('s', { command: '${env:A}' }, { A: '${env:B}', B: 'x' }).command).toBe('${env:B}')
  })

  test('a variable that is not set: the error names the server, the place and the nearest one', () => {
    expect(() => expandServer('s', { url: 'https://h', headers: { A: '${env:TOKN}' } }, env)).toThrow(
      'Server "s": headers.A names the environment variable TOKN, which is not set. Did you mean "TOKEN"? ' +
        'Set it for the program that starts Sluice, or write the value itself.',
    )
  })

  test('an address that is none after expansion', () => {
    expect(() => expandServer('s', { url: '${env:EMPTY}' }, env)).toThrow(/its url, .* isn't a valid address/)
  })
})

test('secretsOf names what must not be logged, and leaves plain words readable', () => {
  const server = {
    command: 'x',
    env: {
      API_KEY: 'abc',
      DB_PASS: 'hunter2',
      COMPASS: 'north by east',
      NODE_ENV: 'production',
      HOME: '/home/ada',
      OTHER: 'ghp_0123456789abcdefghij',
      REF: '${env:TOKEN}',
    },
    headers: { Authorization: 'Bearer tok', Accept: 'text/html' },
  }
  expect(secretsOf(server)).toEqual(['abc', 'hunter2', 'ghp_0123456789abcdefghij', 'Bearer tok', 'tok'])
})

test('secretsOf finds them in every form that arguments have', () => {
  const secrets = (command: string, ...args: string[]): string[] => secretsOf({ command, args })
  expect(secrets('x', '--api-key', 'one1', '--token=two2', '--port', '80', '--db-pw', 'three3')).toEqual([
    'one1',
    'two2',
    'three3',
  ])
  expect(secrets('docker', 'run', '-e', 'API_KEY=one1', '--env=DB_PASS=two2', '-e', 'MODE=b')).toEqual([
    'one1',
    'two2',
  ])
  expect(secrets('x', '--header', 'Authorization: Bearer one1', 'Accept: b')).toEqual(['Bearer one1', 'one1'])
  expect(secrets('mysql-mcp', '-p', 'hunter2')).toEqual(['hunter2'])
  expect(secrets('mysql-mcp', '-p', '3306')).toEqual([])
  expect(secrets('npx', '-p', 'some-package', 'bin')).toEqual([])
})

test('what a placeholder stands for is a secret whatever it is called, unless it is short or plain', () => {
  const server = {
    command: 'x',
    args: ['--city=${env:CITY}', '${env:HOME}/notes', '${env:UNSET}', '${env:constructor}'],
    env: { A: '${env:FLAG}', B: '${env:MODE}', C: '${secret:vault}' },
    headers: { 'X-Place': 'at ${env:PLACE}' },
  }
  const values = {
    CITY: 'blue-whale',
    HOME: '/home/ada',
    FLAG: 'true',
    MODE: 'production',
    PLACE: 'red-kite',
  }
  expect(placeholderValuesOf(server, values, { vault: 'in the vault' })).toEqual([
    'blue-whale',
    'in the vault',
    'red-kite',
  ])
})

describe('an address with a user name and password', () => {
  const url = 'https://ann:p%40ss%20word@example.com/mcp?token=abcdef123456&project=blue'

  test('is sent as the header that it stands for, its query untouched', () => {
    expect(expandServer('s', { url, headers: { 'X-A': '1' } }, env)).toEqual({
      url: 'https://example.com/mcp?token=abcdef123456&project=blue',
      headers: { 'X-A': '1', Authorization: `Basic ${Buffer.from('ann:p@ss word').toString('base64')}` },
    })
    expect(() => expandServer('s', { url, headers: { authorization: 'Bearer x' } }, env)).toThrow(
      /"s": its url holds a user name or password, and its headers an Authorization, too/,
    )
  })

  test('its password and the secrets of its query are known for the log', () => {
    expect(secretsOf({ url })).toEqual(['p%40ss%20word', 'p@ss word', 'abcdef123456'])
  })
})
