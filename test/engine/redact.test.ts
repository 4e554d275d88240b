import { expect, test } from 'vitest'
import { hideInArgs } from '../../electron/engine/hide-secrets.ts'
import { createRedactor, isSecretField, isSecretName } from '../../electron/engine/redact.ts'

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
