import { expect, test } from 'vitest'
import { hideInArgs } from '../../../../electron/engine/ground/secrets/hide-secrets.ts'
import {
  createRedactor,
  isSecretField,
  isSecretName,
} from '../../../../electron/engine/ground/secrets/redact.ts'

test('names of secrets, whole parts of names where the word is short', () => {
  const secret = [
    'DB_PASS',
    'SMTP_PASS',
    'PASS',
    'dbPass',
    'db.pass',
    'db-pass',
    'PASS_DB',
    'DB_PASS2',
    'GH_PAT',
    'DB_PW',
  ]
  for (const name of [...secret, 'dbPassword', 'MY_CREDS']) {
    expect([name, isSecretName(name), isSecretField(name)]).toEqual([name, true, true])
  }
  for (const name of ['API_KEY', 'PGPASSWORD', 'Cookie', 'X-Auth'])
    expect([name, isSecretName(name)]).toEqual([name, true])
  for (const name of ['bypass', 'COMPASS', 'passenger', 'PASSENGERS', 'path', 'PATTERN', 'CITY', 'passed']) {
    expect([name, isSecretName(name), isSecretField(name)]).toEqual([name, false, false])
  }
  for (const name of ['key', 'session', 'tokens', 'inputTokens', 'cacheKey'])
    expect([name, isSecretField(name)]).toEqual([name, false])
})

test('command lines and fields of the log follow it', () => {
  expect(hideInArgs(['--db-pass', 'hunter2', '--dbPass=hunter2', '--bypass=cache'])).toEqual([
    '--db-pass',
    '…',
    '--dbPass=…',
    '--bypass=cache',
  ])
  const clean = createRedactor().clean({ SMTP_PASS: 'hunter2', dbPass: 'hunter2', bypass: 'cache' })
  expect(clean).toEqual({ SMTP_PASS: '[redacted]', dbPass: '[redacted]', bypass: 'cache' })
})

test('the value of a secret flag is hidden where it stands alone: in lists, in texts, as JSON', () => {
  const redactor = createRedactor()
  expect(
    redactor.clean({ args: ['--api-key', 'abc', '-x', '--db-pw', 'abc', 'abc', '--token', '--verbose'] }),
  ).toEqual({
    args: ['--api-key', '[redacted]', '-x', '--db-pw', '[redacted]', 'abc', '--token', '--verbose'],
  })
  const text = (line: string): string => redactor.clean({ line }).line
  expect(text('run: server --api-key hunter2 --port 8080 --access-key hunter2')).toBe(
    'run: server --api-key [redacted] --port 8080 --access-key [redacted]',
  )
  expect(text('{"args":["--token","hunter2","--name","hunter3"]}')).toBe(
    '{"args":["--token","[redacted]","--name","hunter3"]}',
  )
  for (const line of [
    '--tokenizer bert-large',
    '--token --verbose',
    'no-token whatever',
    '--keyboard german',
  ])
    expect(text(line)).toBe(line)
})

test('what follows -p is hidden unless it is by its form something else, or the command installs packages', () => {
  const shown = (command: string, ...args: string[]) => hideInArgs(args, command)
  expect(shown('mysql-mcp', '-u', 'ann', '-p', 'hunter2')).toEqual(['-u', 'ann', '-p', '…'])
  const plain = ['8080', '8080:80', '127.0.0.1:80:80', '3.12', './project', '@scope/package', 'a@1.2.3', '-x']
  for (const value of [...plain, '${env:PORT}', 'tsconfig.json', 'https://h.example/mcp'])
    expect(shown('server', '-p', value)).toEqual(['-p', value])
  expect(shown('/usr/bin/npx', '-p', 'some-package', 'bin')).toEqual(['-p', 'some-package', 'bin'])
  expect(shown('', '-y', '-p', 'some-package', 'bin')).toEqual(['-y', '-p', 'some-package', 'bin'])
})
