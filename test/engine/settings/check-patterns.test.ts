import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { preparePatterns } from '../../../electron/engine/settings/check-patterns.ts'
import { parseSettings } from '../../../electron/engine/settings/parse-settings.ts'
import { engineWorld } from '../../helpers/engine-world.ts'
import { runHere } from '../../helpers/run-here.ts'

await preparePatterns('customPatterns')

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

test('an engine names it at its start and when the file changes, and so does doctor', async () => {
  const { engine, dataDir } = await engineWorld({}, { masking: masking('(') })
  const named = /The pattern "staff" is not a regular expression in RE2 syntax: missing closing \)/
  expect(engine.settings.problems.map(({ message }) => message).join()).toMatch(named)
  const path = join(dataDir, 'config.json')
  writeFileSync(path, JSON.stringify({ masking: masking('a{1001}') }))
  engine.settings.reload()
  expect(engine.settings.problems.map(({ message }) => message).join()).toMatch(/invalid repeat count/)
  const { code, stdout } = await runHere(['doctor', '--offline', '--data-dir', dataDir])
  expect(stdout).toMatch(
    /WRONG +settings +config\.json:1:\d+ masking\.customPatterns\.staff\.regex: The pattern "staff"/,
  )
  expect(code).toBe(1)
})
