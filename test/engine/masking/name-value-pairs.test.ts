import { describe, expect, test } from 'vitest'
import { maskText } from '../../../electron/engine/masking/bulk-mask.ts'
import { findInTexts } from '../../../electron/engine/masking/find-in-texts.ts'
import { maskInValue } from '../../../electron/engine/masking/mask-in-value.ts'
import { countFromOne, Vault } from '../../../electron/engine/masking/vault.ts'
import { DEFAULT_PERSONAL_DATA_TYPES } from '../../../shared/masking-policy.ts'

const types = DEFAULT_PERSONAL_DATA_TYPES
const masked = (text: string): string => maskText(text, { types }).text

/** Where a name and its value are written beside each other. */
const CARRIERS: Readonly<Record<string, (name: string, value: string) => string>> = {
  json: (name, value) => JSON.stringify({ env: [{ name, value, ok: true }] }),
  'json, keys': (name, value) => JSON.stringify({ Tags: [{ Key: name, Value: value }] }),
  'json, value first': (name, value) => JSON.stringify({ value, name, id: 3 }),
  'json, parameters': (name, value) => JSON.stringify([{ ParameterKey: name, ParameterValue: value }]),
  'json, attributes': (name, value) =>
    JSON.stringify({ attributes: [{ key: name, value: { stringValue: value } }] }),
  'json, fields': (name, value) => JSON.stringify({ fields: [{ label: name, name: 'field_3', value }] }),
  'json, around': (name, value) => JSON.stringify({ [name]: { value, type: 'text' } }),
  'json, DynamoDB': (name, value) => JSON.stringify({ Item: { [name]: { S: value } } }),
  'json, escaped': (name, value) =>
    JSON.stringify({ [name]: value }).replaceAll(
      /[^ -~]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  yaml: (name, value) =>
    `spec:\n  containers:\n    - env:\n        - name: LOG\n          value: debug\n        - name: ${name}\n          value: ${value}\n        - name: A\n          value: b\n`,
  'yaml, quoted': (name, value) => `variables:\n- key: "${name}"\n  masked: true\n  value: "${value}"`,
  lines: (name, value) => `Name: ${name}\nValue: ${value}\n\nName: LOG\nValue: debug`,
  'one line': (name, value) =>
    `Setting name=${name.includes(' ') ? `"${name}"` : name} type=text value=${value} changed`,
  python: (name, value) => `[{'name': '${name}', 'value': '${value}'}]`,
  tags: (name, value) => `<property>\n  <name>${name}</name>\n  <value>${value}</value>\n</property>`,
  attributes: (name, value) => `<add key="${name}" value="${value}" />`,
  input: (name, value) => `<p>Sign in</p><input type="text" name="${name}" id="x" value="${value}">`,
  terraform: (name, value) => `  set {\n    name  = "${name}"\n    value = "${value}"\n  }`,
  csv: (name, value) => `key,value\n${name},${value}\nLOG,debug\n`,
  tsv: (name, value) => `Setting\tValue\nLOG\tdebug\n${name}\t${value}\n`,
  'markdown table': (name, value) => `| Name | Value |\n|---|---|\n| LOG | debug |\n| ${name} | ${value} |`,
  columns: (name, value) =>
    `NAME               VALUE\nLOG                debug\n${name.padEnd(17)}  ${value}\n`,
  'html list': (name, value) => `<dl><dt>${name}</dt><dd>${value}</dd></dl>`,
  'html row': (name, value) =>
    `<tr><td>LOG</td><td>debug</td></tr>\n<tr>\n<th>${name}:</th>\n<td>${value}</td></tr>`,
  markdown: (name, value) => `**Name:** ${name}\n**Value:** ${value}\n`,
}

const SECRET = [
  ['DB_PASSWORD', 'hunter2'],
  ['password', 'sesame'],
  ['api_key', 'Zk3qpL9xWm2'],
  ['client-secret', 'bluebird'],
  ['Passwort', 'Sommer23!'],
  ['phone', '5551234567'],
  ['Passport number', 'C01X00T47'],
] as const

const ORDINARY = [
  ['LOG_LEVEL', 'debug'],
  ['replicas', '5551234567'],
  ['order number', '555-123-4567'],
  ['password', 'required'],
  ['DB_PASSWORD', '${DB_PASSWORD}'],
  ['password_file', '/run/secrets/db'],
  ['version', '12.4.7.1'],
] as const

describe('a name beside a value labels it', () => {
  for (const [carrier, write] of Object.entries(CARRIERS)) {
    test.each(SECRET)(`${carrier}: %s %s is hidden`, (name, value) => {
      const text = write(name, value)
      expect(masked(text)).toMatch(/^[^]*\[(?:API_KEY|PHONE|PASSPORT)_1\][^]*$/)
      expect(masked(text)).toBe(text.replace(value, /\[[A-Z_]+_1\]/.exec(masked(text))?.[0] ?? ''))
    })

    test.each(ORDINARY)(`${carrier}: %s %s stays`, (name, value) => {
      const text = write(name, value)
      expect(masked(text)).toBe(text)
    })
  }

  test('the same in values', async () => {
    const value = {
      env: [
        { name: 'DB_PASSWORD', value: 'hunter2' },
        { name: 'LOG', value: 'debug' },
        { key: 'phone', value: { intValue: 4915112345678 } },
      ],
      phone: { value: '5551234567', number: 7 },
      order: { number: '555-123-4567' },
    }
    const vault = new Vault(countFromOne())
    const policy = { direction: 'from-model' as const, types, customPatterns: {} }
    expect(await maskInValue(value, vault, policy, async (input) => findInTexts(input))).toEqual({
      env: [
        { name: 'DB_PASSWORD', value: '[API_KEY_1]' },
        { name: 'LOG', value: 'debug' },
        { key: 'phone', value: { intValue: '[PHONE_1]' } },
      ],
      phone: { value: '[PHONE_2]', number: 7 },
      order: { number: '555-123-4567' },
    })
  })

  test('a name belongs to the item that it is in', () => {
    for (const text of [
      '- name: password\n  type: string\n- name: color\n  value: bluebird',
      "{'name': 'password'}, {'id': 'x', 'value': 'bluebird'}",
      'name: password\n\nvalue: bluebird',
      '<input name="password"/><input value="bluebird"/>',
      '<input type="password" value=""><input type="submit" value="Enviar">',
      '<tr><td>Nagpur-Agra Pass</td><td>09:41</td><td>Mobile</td><td>12345678</td></tr>',
      '  db-host:  sesame\n  Environment:\n    DB_PASSWORD:  sesame\n    LOG:  debug\n',
      JSON.stringify([{ name: 'X-Request-Id', value: '4111111111111111' }]),
    ])
      expect(masked(text)).toBe(text)
  })

  test('elements name their values, and lines of settings need no capitals', () => {
    expect(
      masked('<user><n:ssn a="b">123456789</n:ssn><id>123456789</id><password>sesame</password></user>'),
    ).toBe('<user><n:ssn a="b">[SSN_1]</n:ssn><id>[SSN_1]</id><password>[API_KEY_1]</password></user>')
    expect(masked('a:\n  environment:\n    - POSTGRES_PASSWORD=sesame\n')).toContain('=[API_KEY_1]\n')
    expect(masked('  db-password:  hunter2\n')).toBe('  db-password:  [API_KEY_1]\n')
    expect(masked('  password: string\n')).toBe('  password: string\n')
    expect(masked('<input type="password" value="sesame">')).toBe(
      '<input type="password" value="[API_KEY_1]">',
    )
    expect(masked('{"payment":{"number":4242424242424242,"expiry":"08/30"}}')).toContain('"[CREDIT_CARD_1]"')
    expect(masked('{"national_id":"12345678901"}')).toContain('[NATIONAL_ID_1]')
  })
})
