import * as fc from '../../helpers/properties.ts'
import { expect, test } from 'vitest'
import { exportConfigText } from '../../../electron/engine/screens/export-config.ts'
import { markConfigText, restoreConfigText } from '../../../electron/engine/screens/marked-config.ts'
import { markSecrets, restoreSecrets } from '../../../electron/engine/screens/secret-marks.ts'
import { STARTER_CONFIG } from '../../../electron/engine/settings/starter-config.ts'
import { SECRET_MARK } from '../../../shared/api/settings.ts'

const TEXT = `// the old one: "API": "comment-secret-1"
{
  "servers": {
    // "gone": { "env": { "A": "comment-secret-2" } },
    "one": {
      "command": "run", "args": ["--verbose", "--token", "arg-secret-1", "--key=arg-secret-2", "-e", "PW=arg-secret-3"],
      "env": { "PLAIN": "env-secret", "NAMED": "\${env:NAMED}", "EMPTY": "" },
      "tools": { "t": { "parameterOverrides": { "apiKey": "override-secret", "city": "Oslo" } } },
    },
    "two": { "url": "https://me:url-secret-1@example.com/mcp?x=url-secret-2", "headers": { "A": "Bearer header-secret" } },
  },
  "mcpServers": { "three": { "command": "c", "env": { "B": "env-secret-3" }, "oauth": { "clientSecret": "oauth-secret" } } },
  "model": { "endpoint": { "baseUrl": "https://x/v1", "model": "m", "extra": { "api_key": "extra-secret", "seed": 1, "effort": "low" } } },
  "guardDetectors": [{ "type": "model", "name": "m", "baseUrl": "https://x/v1", "model": "m", "apiKey": "detector-secret" }],
}
`

test('no secret is left in the marked text, and all else keeps its bytes', () => {
  const shown = markConfigText(TEXT)
  expect(shown).not.toMatch(/-secret/)
  for (const kept of [
    '"--verbose"',
    '${env:NAMED}',
    '"Oslo"',
    '"EMPTY": ""',
    '"low"',
    'https://',
    'example.com/mcp',
  ])
    expect(shown).toContain(kept)
  expect(restoreConfigText(shown, TEXT)).toBe(TEXT)
})

test('edits around the marks keep the secrets', () => {
  const edited = markConfigText(TEXT)
    .replace('"--verbose", ', '')
    .replace('"Oslo"', '"Bergen"')
    .replace('  "servers"', '  "logLevel": "debug",\n  "servers"')
  const expected = TEXT.replace('"--verbose", ', '')
    .replace('"Oslo"', '"Bergen"')
    .replace('  "servers"', '  "logLevel": "debug",\n  "servers"')
  expect(restoreConfigText(edited, TEXT)).toBe(expected)
})

test('a mark that could mean another secret is refused', () => {
  const shown = markConfigText(TEXT)
  expect(() => restoreConfigText(shown.replace('"PLAIN"', '"OTHER"'), TEXT)).toThrow(
    /servers\.one\.env\.OTHER/,
  )
  expect(() => restoreConfigText(shown.replace('"one"', '"uno"'), TEXT)).toThrow(/no secret at this place/)
  expect(() =>
    restoreConfigText(shown.replace(`"--token", "${SECRET_MARK}"`, `"${SECRET_MARK}", "x"`), TEXT),
  ).not.toThrow()
  expect(() => restoreConfigText(shown.replace('"--key=', '"--other='), TEXT)).toThrow(/args\[3\]/)
})

test('a broken text shows no string that the parser could make nothing of', () => {
  for (const broken of [
    TEXT.replace('{ "PLAIN"', '{ PLAIN'),
    TEXT.replace('"args": [', '"args": '),
    TEXT.slice(0, 500),
  ])
    expect(markConfigText(broken)).not.toMatch(/(?:env|arg|url|header)-secret/)
})

test('marking and restoring any settings gives them back', () => {
  const word = fc.stringMatching(/^[\w./:?=&@ ${}-]{0,24}$/)
  const server = fc.record(
    {
      command: word,
      args: fc.array(fc.oneof(word, fc.constantFrom('--token', '-e', 'KEY=abc', '--api-key=x'))),
      env: fc.dictionary(word, word),
      headers: fc.dictionary(word, word),
      url: fc.oneof(fc.webUrl({ withQueryParameters: true }), word),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), server), (servers) => {
      const settings = { servers }
      expect(restoreSecrets(markSecrets(settings), settings)).toEqual(settings)
      const text = JSON.stringify(settings, undefined, 2)
      expect(restoreConfigText(markConfigText(text), text)).toBe(text)
    }),
    { numRuns: 50 },
  )
})

test('an export names variables in place of secrets', () => {
  const { text, variables } = exportConfigText(TEXT)
  expect(text).not.toMatch(/-secret/)
  expect(text).not.toContain(SECRET_MARK)
  expect(text).toContain('"PLAIN": "${env:PLAIN}"')
  expect(text).toContain('--key=${env:KEY}')
  expect(variables).toContain('PLAIN')
  // Two secrets under the same key are two variables.
  expect(variables.filter((name) => name.startsWith('APIKEY'))).toEqual(['APIKEY', 'APIKEY_2'])
})

test('the examples that Sluice wrote itself stay readable, and an export asks for nothing of them', () => {
  expect(markConfigText(STARTER_CONFIG)).toBe(STARTER_CONFIG)
  expect(exportConfigText(STARTER_CONFIG)).toEqual({ text: STARTER_CONFIG, variables: [] })
  const edited = STARTER_CONFIG.replace('"npx"', '"npx --key=comment-secret"')
  expect(markConfigText(edited)).not.toContain('comment-secret')
  const { text, variables } = exportConfigText(edited)
  expect(text).not.toContain('comment-secret')
  expect(variables).toEqual([])
})
