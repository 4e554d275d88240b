import { chmodSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../electron/cli/doctor/finding.ts'
import { Settings } from '../../shared/settings.ts'
import { checkModel } from '../../electron/cli/doctor/check-model.ts'
import { headlessSecrets } from '../../electron/cli/headless-secrets.ts'
import { findCommand } from '../../electron/cli/doctor/find-command.ts'
import { checkCopies } from '../../electron/cli/doctor/check-copies.ts'
import { engineWorld } from '../helpers/engine-world.ts'
import { startChatServer } from '../helpers/chat-server.ts'
import { runHere } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'

async function doctor(config: unknown, args: string[] = [], prepare?: (dataDir: string) => void) {
  const dataDir = temporaryFolder()
  const text = typeof config === 'string' ? config : JSON.stringify(config)
  writeFileSync(join(dataDir, 'config.json'), text, { mode: 0o600 })
  prepare?.(dataDir)
  const { code, stdout, stderr } = await runHere(['doctor', '--json', '--data-dir', dataDir, ...args])
  expect(stderr).toBe('')
  const findings = JSON.parse(stdout) as Finding[]
  const of = (status: string) =>
    findings
      .filter((finding) => finding.status === status)
      .map(({ subject, message }) => `${subject}: ${message}`)
  return { code, wrong: of('problem'), notes: of('warning'), right: of('ok') }
}

const withoutPins = (path: string): void => {
  const database = new DatabaseSync(path)
  database.exec('DELETE FROM pins')
  database.close()
}

const free = { http: { port: 0 } }

describe('sluice doctor', () => {
  test('a setup in which all is well: every server is started and listed', async () => {
    const { code, wrong, right } = await doctor({
      ...free,
      servers: {
        good: testServer('misbehaving'),
        paged: testServer('paged'),
        off: { command: 'x', disabled: true },
      },
    })
    expect({ code, wrong }).toEqual({ code: 0, wrong: [] })
    expect(right).toContainEqual(expect.stringMatching(/^server good: .* tools, \d+ ms\.$/))
    expect(right).toContainEqual(expect.stringMatching(/^server paged: .* tools, \d+ ms\.$/))
    expect(right).toContain('servers: 1 disabled, not looked at.')
  })

  test('U21: doctor counts the tools that the screens count, though a server has more for clients that can more', async () => {
    const everything = {
      command: process.execPath,
      args: [resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
    }
    const world = await engineWorld({ everything }, free)
    const [looked, { right }] = await Promise.all([
      world.engine.lookAtServer('everything', { settings: everything }),
      doctor({ ...free, servers: { everything } }),
    ])
    const offered = looked.outcome === 'offers' ? looked.offered : undefined
    const tools = offered?.changes.filter(({ kind }) => kind === 'tool').length
    expect(tools).toBeGreaterThan(13)
    expect(right).toContainEqual(expect.stringMatching(new RegExp(`^server everything: .* ${tools} tools, `)))
  })

  test('a data folder that went missing is noticed by what the apps still start', async () => {
    const home = temporaryFolder()
    const dataDir = join(home, 'data')
    const args = (server: string, folder: string) => ['connect', '--server', server, '--data-dir', folder]
    const mcpServers = {
      lost: { command: 'sluice', args: args('lost', dataDir) },
      elsewhere: { command: 'sluice', args: args('elsewhere', join(home, 'other')) },
    }
    mkdirSync(join(home, '.cursor'))
    writeFileSync(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers }))
    const run = async () => {
      const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: '', APPDATA: home }
      const { code, stdout } = await runHere(['doctor', '--json', '--offline', '--data-dir', dataDir], {
        env,
      })
      return { code, wrong: (JSON.parse(stdout) as Finding[]).filter(({ status }) => status === 'problem') }
    }
    const { code, wrong } = await run()
    // Without settings the usual port is tried, which the reader's own Sluice may have.
    expect(wrong.filter(({ subject }) => subject !== 'port')).toEqual([
      {
        subject: 'clients',
        status: 'problem',
        message: expect.stringMatching(/Cursor starts "lost" through Sluice.*removed/) as string,
      },
    ])
    expect(code).toBe(1)
    mkdirSync(dataDir, { mode: 0o700 })
    writeFileSync(
      join(dataDir, 'config.json'),
      JSON.stringify({ ...free, servers: { lost: { command: 'node' } } }),
      { mode: 0o600 },
    )
    expect(await run()).toEqual({ code: 0, wrong: [] })
  })

  test('a server of which the running engine has several processes may be one to share', async () => {
    const servers = { several: testServer('paged'), shared: { ...testServer('paged'), shared: true } }
    const world = await engineWorld(servers, { ...free, approvals: { firstSight: 'trust' } })
    await world.engine.listen({ port: 0 })
    for (const serverId of ['several', 'several', 'shared', 'shared'])
      await world.connect({ scope: { kind: 'server', serverId } })
    expect(await checkCopies(Settings.parse({ servers }), world.dataDir)).toEqual([
      expect.objectContaining({
        subject: 'server several',
        status: 'warning',
        message: expect.stringMatching(/^2 processes of it run.*"shared": true/),
      }),
    ])
  })

  test('each server that does not start is told in plain words; the others are looked at all the same', async () => {
    const { code, wrong, right } = await doctor({
      ...free,
      servers: {
        good: testServer('misbehaving'),
        crash: testServer('misbehaving', '--fail-start'),
        absent: { command: 'no-such-program-here' },
        locked: { command: join(import.meta.dirname, '../../package.json') },
        joined: { command: 'npx -y server' },
        variable: { command: process.execPath, args: ['${env:NO_SUCH_VARIABLE}'] },
        self: { command: 'sluice', args: ['connect'] },
        closed: { url: 'http://127.0.0.1:1/mcp' },
      },
    })
    expect(code).toBe(1)
    expect(right).toContainEqual(expect.stringMatching(/^server good: /))
    const about = (id: string) => wrong.filter((text) => text.startsWith(`server ${id}:`)).join('\n')
    expect(about('crash')).toContain('cannot find the database')
    expect(about('absent')).toMatch(
      /The program "no-such-program-here" was not found\. Install it, or write its full path/,
    )
    expect(about('locked')).toContain('can not be started. Make it executable (chmod +x).')
    expect(about('joined')).toContain('A command is one program: its arguments go into "args".')
    expect(about('variable')).toContain('NO_SUCH_VARIABLE, which is not set')
    expect(about('self')).toContain('It starts Sluice itself')
    expect(about('closed')).toContain('could not be reached')
    expect(wrong).toHaveLength(7)
  })

  test('the model that the settings name: that it is there, that its key is, that it answers', async () => {
    const refusal = { status: 401, body: { error: { message: 'bad key' } } }
    const server = await startChatServer(({ body }) => (body.model === 'good' ? { says: 'ok' } : refusal))
    const endpoint = { baseUrl: server.baseUrl, model: 'good' }
    const check = (model: object, offline = false, strategy = 'model') =>
      checkModel(
        Settings.parse({ model, compression: { strategy } }),
        { dataDir: temporaryFolder(), offline, secrets: headlessSecrets(temporaryFolder(), () => {}) },
        { env: {}, platform: process.platform, now: Date.now, stderr: process.stderr },
      )
    expect(await check({}, false, 'auto')).toEqual([])
    const wrong = [
      [{}, /compression\.strategy is "model", but no model is in use/],
      [{ use: 'nonexistent' }, /There is no model "nonexistent"\..*Until then/],
      [{ use: 'endpoint' }, /name no address/],
      [{ use: 'endpoint', endpoint: { ...endpoint, model: 'bad' } }, /answered 401: bad key\. Check the key/],
      [{ use: 'endpoint', endpoint: { ...endpoint, baseUrl: 'http://127.0.0.1:9/v1' } }, /can't be reached/],
      [{ use: 'endpoint', endpoint: { ...endpoint, apiKey: '${env:NOPE_X}' } }, /NOPE_X, which is not set/],
    ] as const
    for (const [model, why] of wrong) {
      const [found] = await check(model)
      expect(found).toMatchObject({ status: 'problem', subject: 'model' })
      expect(found?.message).toMatch(why)
    }
    const asked = server.seen.length
    const right = { use: 'endpoint', endpoint }
    expect(await check(right, true)).toMatchObject([{ status: 'ok' }])
    expect(server.seen).toHaveLength(asked)
    expect((await check(right))[0]?.message).toMatch(/"good" at .* answers \(\d+ ms\)/)
    expect(await check(right, true, 'auto')).toMatchObject([{ status: 'ok' }, { status: 'warning' }])

    const { code, wrong: said } = await doctor({
      ...free,
      compression: { strategy: 'model' },
      model: { use: 'endpoint', endpoint: { ...endpoint, model: 'bad' } },
      guardDetectors: [{ ...endpoint, type: 'model', name: 'judge', apiKey: '${env:NOPE_X}' }],
    })
    expect(code).toBe(1)
    expect(said).toEqual([
      expect.stringMatching(
        /^guard: The detector "judge" of guardDetectors names .* NOPE_X, which is not set/,
      ),
      expect.stringMatching(/^model: .*answered 401/),
    ])
  })

  test('--offline starts none', async () => {
    const { code, right } = await doctor(
      { ...free, servers: { crash: testServer('misbehaving', '--fail-start') } },
      ['--offline'],
    )
    expect(code).toBe(0)
    expect(right).toContain('server crash: Its settings are right; it was not started (--offline).')
  })

  test('faults in config.json, each with its place; the right servers are still looked at', async () => {
    const { code, wrong, right } = await doctor(
      '{\n  "http": { "port": 0 },\n  "servers": {\n    "a": { "comand": "x" },\n    "b": { "url": "http://localhost" }\n  }\n}',
      ['--offline'],
    )
    expect(code).toBe(1)
    expect(wrong).toEqual([
      'settings: config.json:4:12 servers.a.comand: Unknown key "comand". Did you mean "command"?',
    ])
    expect(right).toContain('server b: Its settings are right; it was not started (--offline).')
  })

  test('settings that do not fit a tool', async () => {
    const server = {
      ...testServer('big-result'),
      tools: { log: { hideParameters: ['bytes'] }, lgo: { hidden: true } },
    }
    const { code, wrong, notes } = await doctor({ ...free, servers: { big: server } })
    expect(code).toBe(1)
    expect(wrong).toEqual([
      'server big: tools.log.hideParameters: "bytes" is hidden, but the tool requires it. Add "bytes" to parameterOverrides, or show the parameter.',
    ])
    expect(notes).toContain(
      'server big: Settings for the tool "lgo", which it does not have. Did you mean "log"?',
    )
  })

  test('a port that another program has', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((done) => other.once('listening', done))
    const { port } = other.address() as AddressInfo
    const { code, wrong } = await doctor({ http: { port } }, ['--offline'])
    other.close()
    expect(code).toBe(1)
    expect(wrong).toEqual([
      `port: Another program has it: 127.0.0.1:${port}. Stop that program, or set another http.port in config.json.`,
    ])
  })

  test('a damaged database is named, and not touched', async () => {
    const { code, wrong } = await doctor({ ...free }, ['--offline'], (dataDir) =>
      writeFileSync(join(dataDir, 'sluice.db'), 'this is no database at all, is it?'.repeat(100)),
    )
    expect(code).toBe(1)
    expect(wrong[0]).toMatch(/^database: .*sluice\.db can't be read \(file is not a database\)/)
  })

  test.each([
    ['is empty', 'it is empty', (path: string) => writeFileSync(path, '')],
    ['is missing', 'it is missing', (path: string) => rmSync(path)],
    ['is cut short', 'malformed', (path: string) => truncateSync(path, 5000)],
    ['has lost rows', 'approvals are missing', withoutPins],
  ])('a record of approvals that %s blocks everything, and doctor says so', async (_, why, damage) => {
    const { engine, dataDir, connect } = await engineWorld({ s: testServer('paged') }, {})
    await (await connect()).close()
    await engine.close()
    const run = async () => {
      const { code, stdout } = await runHere(['doctor', '--json', '--offline', '--data-dir', dataDir])
      const found = (JSON.parse(stdout) as Finding[]).find(({ subject }) => subject === 'approvals')
      return { code, status: found?.status, message: found?.message }
    }
    const path = join(dataDir, 'pins.db')
    expect(await run()).toMatchObject({ status: 'ok', message: `${path} is sound.` })
    damage(path)
    const { code, status, message } = await run()
    expect({ code, status }).toEqual({ code: 1, status: 'problem' })
    expect(message).toContain(`${path} can't be read (`)
    expect(message).toContain(why)
    expect(message).toContain('Everything is blocked until it is repaired: "sluice review --reset"')
  })

  test.skipIf(process.platform === 'win32')('a folder and a file that others can read', async () => {
    const { code, notes } = await doctor({ ...free }, ['--offline'], (dataDir) => {
      chmodSync(dataDir, 0o755)
      chmodSync(join(dataDir, 'config.json'), 0o644)
    })
    expect(code).toBe(0)
    expect(notes.map((note) => note.split(' ').slice(0, 3).join(' '))).toEqual(
      expect.arrayContaining(['data folder: Other', 'settings: Other users']),
    )
  })

  test('what is blocked until a decision is named, and what decides', async () => {
    const { engine, dataDir, connect } = await engineWorld(
      { s: testServer('paged') },
      { approvals: { firstSight: 'ask' } },
    )
    await (await connect()).close()
    await engine.close()
    const { code, stdout } = await runHere(['doctor', '--offline', '--data-dir', dataDir])
    expect(stdout).toMatch(/^note +approvals +\d+ definitions of s are blocked.*`sluice review s`/m)
    expect({ code, verdict: /\nNothing is wrong; .* above\.\n$/.test(stdout) }).toEqual({
      code: 0,
      verdict: true,
    })
  })

  test('for people: one line each, and a verdict', async () => {
    const dataDir = join(temporaryFolder(), 'none')
    const { code, stdout } = await runHere(['doctor', '--offline', '--data-dir', dataDir])
    expect(stdout).toMatch(/^ok +node +Node \d+/)
    expect(stdout).toMatch(/^note +settings +.*`sluice init` writes one/m)
    // Without a config.json the default port is used, which a running Sluice may hold.
    const isPortTaken = /^WRONG +port +Another program/m.test(stdout)
    expect(code).toBe(isPortTaken ? 1 : 0)
    if (!isPortTaken) expect(stdout).toMatch(/\n\nNothing is wrong; (?:one note|\d+ notes) above\.\n$/)
  })

  test('says that servers were not looked at when config.json has to be mended first', async () => {
    const { notes } = await doctor('{"servers":')
    expect(notes).toContain('servers: None could be checked: fix config.json first.')
  })

  test('finds a working folder that is not there without starting the server', async () => {
    const server = { ...testServer('paged'), cwd: join(temporaryFolder(), 'gone') }
    const { wrong } = await doctor({ ...free, servers: { s: server } }, ['--offline'])
    expect(wrong).toEqual([expect.stringMatching(/^server s: Its "cwd", .*gone, is not a folder\./)])
  })

  test('says beforehand that a data folder could not be made', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const { stdout, code } = await runHere(['doctor', '--offline', '--data-dir', join(file, 'data')])
    expect(code).toBe(1)
    expect(stdout).toContain(`can't be used: a part of this path is a file. Use another data folder`)
  })
})

describe('findCommand', () => {
  test.skipIf(process.platform === 'win32')('finds programs as a shell would, and only programs', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'bin', 'folder'), { recursive: true })
    writeFileSync(join(folder, 'bin', 'tool'), '#!/bin/sh\n', { mode: 0o755 })
    writeFileSync(join(folder, 'bin', 'text'), 'x', { mode: 0o644 })
    const find = (command: string, cwd = '/') =>
      findCommand(command, { env: { PATH: `/nowhere:${folder}/bin` }, platform: 'linux', cwd })
    expect(find('tool')).toBe(join(folder, 'bin', 'tool'))
    expect(find(join(folder, 'bin', 'tool'))).toBe(join(folder, 'bin', 'tool'))
    expect(find('./bin/tool', folder)).toBe(join(folder, 'bin', 'tool'))
    expect(find('text')).toBeUndefined()
    expect(find('folder')).toBeUndefined()
    expect(find('tool --flag')).toBeUndefined()
    expect(findCommand('tool', { env: {}, platform: 'linux', cwd: '/' })).toBeUndefined()
  })
})

test('--bundle writes what helpers need, and no secret wherever it stands', async () => {
  const dataDir = temporaryFolder()
  const [kept, plain, token] = [
    'kept-5ecret-of-the-vault',
    'pl4in-5ecret-of-config-json',
    't0ken-of-the-http-server',
  ]
  const path = join(dataDir, 'bundle.json')
  const settings = {
    ...free,
    servers: {
      s: {
        command: 'no-such-command',
        args: ['--api-key', plain, '-p', 'qu1x', '--db-pw', 'zo0m'],
        env: { API_KEY: plain, CITY: 'Ulm', PLACE: '${env:PLACE_OF_WORK}' },
      },
    },
  }
  writeFileSync(join(dataDir, 'config.json'), JSON.stringify(settings), { mode: 0o600 })
  writeFileSync(join(dataDir, 'token'), token, { mode: 0o600 })
  mkdirSync(join(dataDir, 'logs'))
  const line = {
    at: '2026-01-01T00:00:00Z',
    level: 'warn',
    message: `called with ${kept} and ${plain} at blue-whale-bay`,
    n: 7,
  }
  writeFileSync(join(dataDir, 'logs', 'sluice.log'), `${JSON.stringify(line)}\nhalf a line with ${token}\n`)
  await headlessSecrets(dataDir, () => {}).set('vault', JSON.stringify({ access_token: kept }))

  const args = ['doctor', '--offline', '--data-dir', dataDir, '--bundle', path]
  const { stderr } = await runHere(args, { env: { PLACE_OF_WORK: 'blue-whale-bay' } })
  expect(stderr).toContain(`Wrote ${path}.`)
  const text = readFileSync(path, 'utf8')
  for (const secret of [kept, plain, token, 'Ulm', 'qu1x', 'zo0m']) expect(text).not.toContain(secret)
  const bundle = JSON.parse(text) as { findings: Finding[]; log: { message: string; n: number }[] }
  expect(bundle.findings.map(({ subject }) => subject)).toContain('settings')
  expect(bundle.log[0]).toMatchObject({
    message: 'called with [redacted] and [redacted] at [redacted]',
    n: 7,
  })
  expect(text).toContain('"CITY": "[left out]"')
  expect((await runHere(args)).stderr).toContain('exists already')
})
