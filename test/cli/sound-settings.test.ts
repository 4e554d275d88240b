import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runHere } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'

const NO_JSON = '{ "servers": {'
const BAD_PATTERN = JSON.stringify({
  masking: { customPatterns: { staff: { regex: '(', placeholder: 'STAFF' } } },
})
const BAD_SERVER = JSON.stringify({ servers: { a: { comand: 'x' } } })

/** A user's home with one app, and a data folder with one file. */
function folders(config: string) {
  const home = temporaryFolder()
  const app = join(home, '.cursor', 'mcp.json')
  mkdirSync(join(home, '.cursor'))
  writeFileSync(app, JSON.stringify({ mcpServers: { paged: testServer('paged') } }))
  const dataDir = join(home, 'data')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'config.json'), config)
  const run = (...args: string[]) => runHere(['--data-dir', dataDir, ...args], { env: { HOME: home } })
  return { dataDir, app, run }
}

const NEEDS_SETTINGS = [
  'stats',
  'report',
  'replay',
  'review',
  'review --history',
  'review --approved',
  'review paged --yes',
  'clients',
  'wrap cursor --dry-run',
  'wrap cursor --yes',
  'wrap cursor --built-in --dry-run',
  'wrap claude-code --built-in --dry-run',
  'import cursor --dry-run',
  'import cursor --yes',
  'secrets keep',
  'cache list paged',
  'cache clear paged',
  'models list',
  'models use endpoint',
  'models test',
  'sign-in paged',
]

test.each(
  NEEDS_SETTINGS.flatMap((command) => [
    [command, NO_JSON],
    [command, BAD_PATTERN],
  ]),
)('sluice %s prints one error for the settings %s, and changes nothing', async (command, config) => {
  const { dataDir, app, run } = folders(config)
  const before = readFileSync(app, 'utf8')
  const { code, stdout, stderr } = await run(...command.split(' '))
  expect(stderr).toMatch(
    /^sluice: \S+config\.json has a mistake, so its settings are not in effect and nothing was done:\n {2}config\.json:1:\d+ .+\nCorrect it, then run the command again\.\n$/,
  )
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(readdirSync(dataDir)).toEqual(['config.json'])
  expect(readFileSync(app, 'utf8')).toBe(before)
})

test.each(['wrap cursor --dry-run', 'wrap cursor --yes', 'import cursor --dry-run', 'secrets keep'])(
  'sluice %s would edit the file, so a mistake of one server ends it before a server is started',
  async (command) => {
    const { dataDir, run } = folders(BAD_SERVER)
    const { code, stdout, stderr } = await run(...command.split(' '))
    expect(stderr).toMatch(
      /has a mistake, so nothing was done:\n {2}config\.json:1:\d+ servers\.a\.comand: Unknown key/,
    )
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(readdirSync(dataDir)).toEqual(['config.json'])
  },
)

test.each(['stats', 'clients', 'models list'])(
  'sluice %s reads settings in which only a server has a mistake',
  async (command) => {
    const { run } = folders(BAD_SERVER)
    expect(await run(...command.split(' '))).toMatchObject({ code: 0, stderr: '' })
  },
)

test('sluice unwrap gives an app its servers back whatever has become of config.json', async () => {
  const { dataDir, app, run } = folders('{}')
  const before = readFileSync(app, 'utf8')
  expect(await run('wrap', 'cursor', '--yes')).toMatchObject({ code: 0 })
  expect(readFileSync(app, 'utf8')).not.toBe(before)
  writeFileSync(join(dataDir, 'config.json'), NO_JSON)
  await run('unwrap', 'cursor', '--yes')
  expect(readFileSync(app, 'utf8')).toBe(before)
})
