import { expect, test } from 'vitest'
import { parseSettings } from '../../../electron/engine/settings/parse-settings.ts'

const masking = (regex: string) => ({
  customPatterns: { fine: { regex: 'S-1', placeholder: 'S' }, staff: { regex, placeholder: 'STAFF' } },
})
const problemsOf = (settings: unknown) =>
  parseSettings(JSON.stringify(settings, undefined, 2)).problems.map(({ line, path, message, serverId }) => ({
    line,
    path,
    message,
    serverId,
  }))

test.each([
  ['(unclosed', 'missing closing ): `(unclosed`'],
  ['[z-a]', 'invalid character class range: `z-a`'],
  // JavaScript takes these.
  ['a{1001}', 'invalid repeat count: `{1001}`'],
  ['\\u0041', 'invalid escape sequence: `\\u`'],
  ['S-(?!1)', 'lookaround and back-references are not supported'],
  ['(a)\\1', 'lookaround and back-references are not supported'],
])('%s is named with its place and the reason', (regex, why) => {
  expect(problemsOf({ masking: masking(regex) })).toEqual([
    {
      line: 9,
      path: 'masking.customPatterns.staff.regex',
      message: `The pattern "staff" is not a regular expression in RE2 syntax: ${why}. Correct it.`,
      serverId: undefined,
    },
  ])
})

test.each(['(?i)staff', '(?P<number>S)', '\\pN', '\\\\1', '\\d{6'])(
  '%s is taken, as RE2 takes it',
  (regex) => {
    expect(problemsOf({ masking: masking(regex) })).toEqual([])
  },
)

test('one of a server or a tool, in mcpServers, too, puts that server out of effect', () => {
  const tools = { tool: { masking: masking('(') } }
  const servers = { good: { command: 'x' }, bad: { command: 'x', tools } }
  const parsed = parseSettings(JSON.stringify({ mcpServers: servers }))
  expect(parsed.problems).toMatchObject([
    { path: 'mcpServers.bad.tools.tool.masking.customPatterns.staff.regex', serverId: 'bad' },
  ])
  expect(parsed.settings).toBeUndefined()
  expect(Object.keys(parsed.usable?.servers ?? {})).toEqual(['good'])
})
