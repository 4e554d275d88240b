import { assert, constantFrom, property, string, stringMatching, oneof } from '../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { maskText } from '../../../electron/engine/masking/bulk-mask.ts'
import { DEFAULT_PERSONAL_DATA_TYPES } from '../../../shared/masking-policy.ts'

const masked = (text: string): string => maskText(text, { types: DEFAULT_PERSONAL_DATA_TYPES }).text

const PASSWORDS = [
  'password', 'Password', 'db_password', 'userPassword', 'PASSWD', 'passphrase', 'new-password', 'passcode', 'Passwort', 'Kennwort',
  'mot de passe', 'mot_de_passe', 'contraseña', 'contrasena', 'senha', 'wachtwoord', 'hasło', 'пароль', 'Пароль', '密码', 'パスワード', '비밀번호', 'şifre', 'user password',
] // prettier-ignore
const SECRETS = ['secret', 'client_secret', 'clientSecret', 'appSecret', 'jwt-secret', 'Secret']
const CODES = [
  'PIN',
  'pin',
  'card_pin',
  'PIN code',
  'pinCode',
  'PIN-Code',
  'PUK',
  'otp',
  '暗証番号',
  'ПИН-код',
]

/** Where a name labels a value. */
const CARRIERS: Readonly<Record<string, (name: string, value: string) => string>> = {
  json: (name, value) => JSON.stringify({ user: 'ann', [name]: value, city: 'Ulm' }),
  'json lines': (name, value) =>
    [1, 2].map((id) => JSON.stringify({ id, [name]: value, city: 'Ulm' })).join('\n'),
  rows: (name, value) =>
    JSON.stringify([
      ['user', name, 'city'],
      ['ann', value, 'Ulm'],
    ]),
  csv: (name, value) => `user,${name},city\nann,${value},Ulm`,
  tsv: (name, value) => `user\t${name}\tcity\nann\t${value}\tUlm\nben\t${value}\tBonn`,
  markdown: (name, value) => `| user | ${name} |\n|---|---|\n| ann | ${value} |`,
  fence: (name, value) => `Logins:\n\`\`\`\nuser,${name}\nann,${value}\n\`\`\``,
}
const carrier = constantFrom(...Object.entries(CARRIERS))
/** Nothing of a table's or of JSON's own, and no word that tells of another thing. */
const short = stringMatching(/^[b-z][a-z]{1,3}[A-Z0-9#%+][a-z0-9]{0,3}$/).filter(
  (value) => !['md5', 'sha1'].includes(value),
)
const word = stringMatching(/^[bdfghjklmnpqrtvwz]{2}[aeiou][bdfghjklmnpqrtvwz]{2}[aeiou]{0,2}$/)

describe('what names a secret makes its value one', () => {
  test('passwords and secrets, however short and without digits', () => {
    assert(
      property(
        constantFrom(...PASSWORDS, ...SECRETS),
        oneof(short, word),
        carrier,
        (name, value, [, write]) => {
          const text = write(name, value)
          expect(masked(text), text).not.toContain(value)
        },
      ),
      { numRuns: 1500 },
    )
  })

  test('a state in capitals of its own is a value', () => {
    for (const value of ['taK', 'xxX', 'noNe'])
      expect(masked(`{"password":"${value}"}`), value).not.toContain(value)
    for (const value of ['tak', 'Tak', 'TAK', 'xxx', 'XXX', 'SecretStr', 'N/A', 'ja', '***'])
      expect(masked(`{"password":"${value}"}`), value).toContain(value)
  })

  test('codes of four to eight digits', () => {
    assert(
      property(constantFrom(...CODES), stringMatching(/^\d{4,8}$/), carrier, (name, value, [, write]) => {
        const text = write(name, value)
        expect(masked(text), text).not.toContain(value)
      }),
      { numRuns: 500 },
    )
  })

  test('and in settings', () => {
    for (const text of [
      'DB_PASSWORD=sesame\n',
      'export PASSWORD=abc',
      'password: "hunter"',
      "senha = 'sesamo'",
      '"pwd": "abc1"',
    ])
      expect(masked(text), text).toContain('[API_KEY_1]')
  })
})

const NO_VALUES = [
  'string', 'String', 'required', 'true', 'false', 'null', 'None', '', 'yes', 'n/a', '****', '••••••', 'xxxxxxxx', '<password>', '${DB_PASSWORD}', '{{ password }}',
  '[redacted]', 'erforderlich', 'obligatoire', 'obligatorio', 'обязателен', '必須', 'optional', 'bcrypt', 'changeme', '%s', '/run/secrets/db', 'db-password', 'DB_PASSWORD', '1.2.3', '^4.0.1',
  'The password of the user', 'Passwort',
] // prettier-ignore

test('types, demands, states, masked values and names of secrets are none', () => {
  assert(
    property(
      constantFrom(...PASSWORDS, ...SECRETS),
      constantFrom(...NO_VALUES),
      carrier,
      (name, value, [, write]) => {
        const text = write(name, value)
        expect(masked(text)).toBe(text)
      },
    ),
    { numRuns: 1500 },
  )
})

test('nor are values of keys that only mention one', () => {
  const keys = [
    'password_hint', 'passwordPolicy', 'password_changed_at', 'forgotPassword', 'has_password', 'requirePassword', 'secretName', 'token_type', 'pinned', 'spin', 'pins', 'opinion', 'compass', 'keyboard', 'reset_password',
  ] // prettier-ignore
  assert(
    property(constantFrom(...keys), word, carrier, (name, value, [, write]) => {
      const text = write(name, value)
      expect(masked(text)).toBe(text)
    }),
    { numRuns: 500 },
  )
  for (const text of [
    'interface A {\n  password: string\n  secret: string\n}',
    'password required',
    'password: str = None',
    '{"pin":"13"}',
    '{"type":"password"}',
    'password = getpass()',
    'PASSWORD=\n',
  ])
    expect(masked(text)).toBe(text)
})

test('a plain word that was a password is not hidden elsewhere', () => {
  const text = JSON.stringify({ password: 'postgres', image: 'postgres', note: 'runs postgres' })
  expect(masked(text)).toBe(
    JSON.stringify({ password: '[API_KEY_1]', image: 'postgres', note: 'runs postgres' }),
  )
})

test('any string as a value keeps JSON valid', () => {
  assert(
    property(constantFrom(...PASSWORDS, ...CODES), string({ unit: 'binary' }), (name, value) => {
      JSON.parse(masked(JSON.stringify({ [name]: value })))
    }),
  )
})
