import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CLI } from '../helpers/run-cli.ts'
import { runHere } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'

/** A way to each part that opens the data folder. */
const COMMANDS = [
  'stats',
  'report --markdown -',
  'results list',
  'read r_abcdef',
  'cache list',
  'cache clear',
  'quarantine list',
  'review',
  'init',
  'clients',
  'wrap claude-code',
  'unwrap claude-code',
  'import -',
  'replay',
  'secrets list',
  'secrets set NAME',
  'browsers list',
  'models list',
  'pause',
  'resume',
  'open',
  'sign-in files',
  'sign-out files',
  'connect',
  'serve',
  'engine',
]

const oneLine = /^sluice: The data folder .* can't be used: .*data-dir.*\n$/

test.each(COMMANDS)('a data folder that is a file: %s says so, and writes nothing', async (command) => {
  const folder = temporaryFolder()
  const file = join(folder, 'file')
  writeFileSync(file, 'mine')
  const { code, stdout, stderr } = await runHere([...command.split(' '), '--data-dir', file], {
    input: 'x',
    cwd: folder,
    env: { HOME: folder },
  })
  expect(stderr).toMatch(/it is a file/)
  expect(stderr).toMatch(oneLine)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(readdirSync(folder)).toEqual(['file'])
  expect(readFileSync(file, 'utf8')).toBe('mine')
})

test('a folder below a file, a link to nothing, links in a circle and a name that is too long are named', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), 'mine')
  symlinkSync(join(folder, 'gone'), join(folder, 'broken'))
  symlinkSync(join(folder, 'circle'), join(folder, 'circle'))
  for (const [place, why] of [
    ['file/below', /a part of this path is a file/],
    ['broken', /a link to a place that is not there/],
    ['circle', /links lead to each other/],
    ['x'.repeat(300), /its name is longer/],
  ] as const) {
    for (const command of ['stats', 'pause']) {
      const { code, stderr } = await runHere([command, '--data-dir', join(folder, place)])
      expect(stderr).toMatch(why)
      expect(stderr).toMatch(oneLine)
      expect(code).toBe(1)
    }
    const doctor = await runHere(['doctor', '--json', '--offline', '--data-dir', join(folder, place)])
    expect(doctor.code).toBe(1)
    const findings = JSON.parse(doctor.stdout) as { status: string; subject: string; message: string }[]
    expect(findings.filter(({ status }) => status === 'problem')).toEqual([
      { status: 'problem', subject: 'data folder', message: expect.stringMatching(why) as string },
    ])
  }
  expect(readdirSync(folder).sort()).toEqual(['broken', 'circle', 'file'])
})

test('doctor --bundle of a folder that is a file holds what was found', async () => {
  const folder = temporaryFolder()
  const [file, bundle] = [join(folder, 'file'), join(folder, 'bundle.json')]
  writeFileSync(file, 'mine')
  expect((await runHere(['doctor', '--data-dir', file, '--bundle', bundle])).code).toBe(1)
  expect(JSON.parse(readFileSync(bundle, 'utf8'))).toMatchObject({ files: {}, log: [] })
})

/** The superuser may read everything. */
const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

test.skipIf(process.platform === 'win32')(
  'a folder that this user may not read is not an empty one',
  (context) => {
    // Where the superuser's own folder has the program, others can't run it.
    if (spawnSync(process.execPath, [CLI, '--version'], { ...other, cwd: '/' }).status !== 0) context.skip()
    const folder = join(temporaryFolder(), 'data')
    mkdirSync(folder)
    writeFileSync(join(folder, 'config.json'), '{}')
    chmodSync(folder, 0)
    for (const command of ['stats', 'results list', 'doctor --offline']) {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [CLI, ...command.split(' '), '--data-dir', folder],
        { ...other, cwd: '/', encoding: 'utf8', env: { HOME: '/', NO_COLOR: '1' } },
      )
      expect(stdout + stderr).toMatch(/The data folder .*data can't be used: this user has no right to/)
      expect(status).toBe(1)
    }
    chmodSync(folder, 0o700)
  },
)

test.skipIf(process.platform === 'win32')(
  "an app's file that this user may not read or replace is named without a code",
  (context) => {
    const folder = temporaryFolder()
    const [file, data] = [join(folder, 'app', 'mcp.json'), join(folder, 'data')]
    mkdirSync(join(folder, 'app'))
    mkdirSync(data)
    chmodSync(folder, 0o755)
    chmodSync(data, 0o777)
    writeFileSync(file, JSON.stringify({ mcpServers: { paged: testServer('paged') } }), { mode: 0o666 })
    const wrap = () =>
      spawnSync(
        process.execPath,
        [CLI, 'wrap', '--file', file, '--yes', '--if-failing', 'anyway', '--data-dir', data],
        { ...other, cwd: '/', encoding: 'utf8', env: { HOME: data, NO_COLOR: '1' } },
      )
    chmodSync(join(folder, 'app'), 0o555)
    const replaced = wrap()
    if (replaced.stderr.includes('Cannot find module')) context.skip()
    expect(replaced.stderr).toMatch(
      /mcp\.json can't be written \(this user has no right to.*Nothing was changed/,
    )
    expect(replaced.status).toBe(1)
    chmodSync(file, 0)
    const read = wrap()
    expect(read.stderr).toMatch(/mcp\.json can't be read \(this user has no right to/)
    expect(read.stderr).not.toMatch(/EACCES/)
    expect(read.status).toBe(1)
    chmodSync(join(folder, 'app'), 0o755)
  },
)

const READ_CONFIG = [
  'stats',
  'report --markdown -',
  'review',
  'init',
  'clients',
  'import - --yes',
  'replay',
  'secrets keep',
  'models list',
  'cache clear files',
  'serve',
]

test.each(READ_CONFIG)(
  'a config.json that can not be read: %s says why, and overwrites nothing',
  async (command) => {
    const folder = temporaryFolder()
    const broken = join(folder, 'broken')
    const directory = join(folder, 'directory')
    const large = join(folder, 'large')
    const pipe = join(folder, 'pipe')
    for (const each of [broken, directory, large, pipe]) mkdirSync(each)
    symlinkSync(join(folder, 'gone.json'), join(broken, 'config.json'))
    mkdirSync(join(directory, 'config.json'))
    writeFileSync(join(large, 'config.json'), '{}')
    truncateSync(join(large, 'config.json'), 600_000_000)
    expect(spawnSync('mkfifo', [join(pipe, 'config.json')]).status).toBe(0)
    for (const [place, why] of [
      [broken, /config\.json can't be read: it is a link to .*gone\.json, which is not there\. Bring/],
      [directory, /config\.json can't be read: it is a folder\. Move it away/],
      [large, /config\.json can't be read: it has 600000000 bytes, and settings at most .* shorten/],
      [pipe, /config\.json can't be read: it is not a regular file\. Put/],
    ] as const) {
      const { code, stdout, stderr } = await runHere([...command.split(' '), '--data-dir', place], {
        input: '{"mcpServers":{"a":{"command":"x"}}}',
        cwd: folder,
        env: { HOME: folder },
      })
      expect(stderr).toMatch(why)
      expect(stderr).not.toMatch(/EISDIR|ENOENT|ERR_/)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      const doctor = await runHere(['doctor', '--offline', '--data-dir', place])
      expect(doctor.stdout).toMatch(why)
      expect(doctor.code).toBe(1)
    }
    expect(readlinkSync(join(broken, 'config.json'))).toBe(join(folder, 'gone.json'))
    expect(lstatSync(join(directory, 'config.json')).isDirectory()).toBe(true)
    expect(lstatSync(join(large, 'config.json')).size).toBe(600_000_000)
  },
)
