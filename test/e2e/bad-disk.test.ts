import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkDatabase, checkFolder } from '../../electron/cli/doctor/check-folder.ts'
import { readAccessToken } from '../../electron/engine/clients/transports/access-token.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { engineWorld } from '../helpers/engine-world.ts'
import { backgroundEngineOf } from '../helpers/process-tree.ts'
import { RawClient, type RawMessage } from '../helpers/raw-client.ts'
import { CLI, runCli } from '../helpers/run-cli.ts'
import {
  canMakeReadOnly,
  canMountSmallDisks,
  fillDisk,
  makeReadOnly,
  mountReadOnly,
  smallDisk,
} from '../helpers/small-disk.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'
import { waitFor } from '../helpers/wait-for.ts'

/** The data folder on a small file system, which only Linux's superuser can mount. */

const canMount = canMountSmallDisks()
if (!canMount)
  console.warn('Skipped: only a superuser of Linux can mount the small disks of bad-disk.test.ts.')

test.skipIf(!canMount)(
  'a full disk costs savings and records; of calls, those that nobody could check',
  async () => {
    const folder = smallDisk('8m', onTestFinished)
    const { connect } = await engineWorld(
      { s: testServer('misbehaving'), late: testServer('misbehaving', '--another') },
      { approvals: { firstSight: 'trust' } },
      { folder },
    )
    const { call, names } = await connect()
    expect(await call('echo', { text: 'before' })).toBe('before')
    const makeRoom = await fillDisk(folder)
    expect(await names()).toContain('echo')
    for (let index = 0; index < 20; index++)
      expect(await call('echo', { text: `full ${index}` })).toBe(`full ${index}`)
    // What can't be stored isn't shortened: there would be no way back.
    expect(await call('huge', { bytes: 100_000 })).toBe('x'.repeat(100_000))
    // A newcomer's listing can't be recorded. Approved items need no record; the rest fails closed.
    const other = await connect({ name: 'another' })
    expect(await other.call('echo', { text: 'newcomer' })).toBe('newcomer')
    const late = await connect({ name: 'a third', scope: { kind: 'server', serverId: 'late' } })
    expect(await late.call('echo', { text: 'late' })).toMatch(/could not be checked: .*disk is full/)

    makeRoom()
    await waitFor(async () => expect(await late.call('echo', { text: 'late' })).toBe('late'))
    expect(await call('echo', { text: 'after' })).toBe('after')
    expect(await call('huge', { bytes: 100_000 })).toContain('proxy_')
    expect(await (await connect()).call('echo', { text: 'newcomer' })).toBe('newcomer')
  },
)

test.skipIf(!canMount)(
  'a disk that is full from the start: what was approved is served, what was not says why, so does what needs room',
  async () => {
    const folder = smallDisk('8m', onTestFinished)
    const servers = { s: testServer('misbehaving'), other: testServer('misbehaving', '--deaf') }
    const settings = { approvals: { firstSight: 'trust' } }
    const ends: (() => Promise<void> | void)[] = []
    const before = await engineWorld(servers, settings, { folder, whenDone: (end) => ends.unshift(end) })
    expect(await (await before.connect()).call('echo', { text: 'before' })).toBe('before')
    for (const end of ends) await end()
    const { dataDir } = before
    const token = await readAccessToken(dataDir)
    await fillDisk(folder)

    const aside = join(dataDir, 'token.aside')
    renameSync(join(dataDir, 'token'), aside)
    const served = await runCli(['serve', '--data-dir', dataDir])
    expect(served.stderr).toMatch(
      /^sluice: The access token .*token can't be written: the disk is full\. Make/m,
    )
    expect(served.code).toBe(1)
    renameSync(aside, join(dataDir, 'token'))

    expect(checkFolder(dataDir, 'linux')).toMatchObject([
      { message: expect.stringMatching(/disk is full\. Make/) },
    ])
    expect(checkDatabase(dataDir)).toMatchObject([
      { message: expect.stringMatching(/can't be opened: the disk is full/) },
    ])

    for (const args of [['quarantine', 'list'], ['review', '--yes'], ['results', 'list'], ['stats']]) {
      const { code, stderr } = await runCli([...args, '--data-dir', dataDir])
      expect(stderr, args.join(' ')).not.toMatch(/^sluice: disk I\/O error|--verbose/m)
      if (code !== 0)
        expect(stderr).toMatch(/(?:pins|sluice)\.db.*can't be (?:used|written): the disk is full.* Make room/)
    }

    // Temporary files are on the same disk, as on most machines.
    const { connect, engine } = await engineWorld(servers, settings, { folder })
    const { call } = await connect()
    expect(await call('echo', { text: 'full' })).toBe('full')
    expect(await call('huge', { bytes: 100_000 })).toBe('x'.repeat(100_000))
    const other = await connect({ scope: { kind: 'server', serverId: 'other' } })
    expect(await other.call('echo', { text: 'new' })).toMatch(
      /could not be checked: pins\.db, .* can't be written .*start Sluice again/,
    )
    const roof = await connect({ scope: { kind: 'all' } })
    expect(await roof.call('other__echo')).toMatch(
      /"other" could not be checked: pins\.db, .* can't be written/,
    )
    const { url } = await engine.listen()
    const health = await fetch(`${url}/health`, { headers: { authorization: `Bearer ${token}` } })
    expect(health.status).toBe(200)
    expect(readdirSync(dataDir).filter((name) => /\.(?:opening|tmp)$|^token\./.test(name))).toEqual([])
  },
)

const canLock = canMakeReadOnly()
if (!canLock) console.warn('Skipped: only a superuser of Linux can make a folder read-only to himself.')

test.skipIf(!canLock)(
  'a data folder that becomes read-only costs savings and records; of calls, those that nobody could check',
  async () => {
    const { connect, dataDir } = await engineWorld(
      { s: testServer('misbehaving') },
      { approvals: { firstSight: 'trust' } },
    )
    const { call, names } = await connect()
    expect(await call('echo', { text: 'before' })).toBe('before')
    const unlock = makeReadOnly(dataDir)
    onTestFinished(unlock)
    expect(await names()).toContain('echo')
    for (let index = 0; index < 5; index++)
      expect(await call('echo', { text: `locked ${index}` })).toBe(`locked ${index}`)
    expect(await call('huge', { bytes: 100_000 })).toBe('x'.repeat(100_000))
    const other = await connect({ name: 'another' })
    expect(await other.call('echo', { text: 'newcomer' })).toBe('newcomer')
    unlock()
    expect(await call('echo', { text: 'after' })).toBe('after')
    expect(await call('huge', { bytes: 100_000 })).toContain('proxy_')
  },
)

test.skipIf(!canMount)(
  'a data folder that is read-only from the start: what was approved is served, what was not says why',
  async () => {
    const dataDir = writeConfig(
      temporaryFolder(),
      { s: testServer('misbehaving'), other: testServer('misbehaving', '--deaf') },
      { approvals: { firstSight: 'trust' } },
    )
    const start = async (server: string): Promise<RawClient> => {
      const client = new RawClient({
        command: process.execPath,
        args: [CLI, 'connect', '--server', server, '--client', 'app', '--data-dir', dataDir],
      })
      onTestFinished(() => client.kill('SIGKILL'))
      await client.initialize()
      return client
    }
    const call = async (client: RawClient, name: string, args: RawMessage): Promise<string> =>
      JSON.stringify(await client.request('tools/call', { name, arguments: args }))
    const before = await start('s')
    expect(await call(before, 'echo', { text: 'before' })).toContain('"before"')
    expect(await before.end()).toBe(0)
    await expect.poll(() => backgroundEngineOf(dataDir)).toBeUndefined()

    mountReadOnly(dataDir, onTestFinished)
    const client = await start('s')
    expect(await call(client, 'echo', { text: 'locked' })).toContain('"locked"')
    expect(await call(client, 'huge', { bytes: 100_000 })).toContain('x'.repeat(100_000))
    expect(client.stderr).toMatch(/sluice\.db can't be written: the file system is read-only/)
    expect(client.stderr).toMatch(/pins\.db can't be written: .* nothing new can be approved/)
    expect(await client.end()).toBe(0)
    const unknown = await start('other')
    expect(await call(unknown, 'echo', { text: 'new' })).toMatch(
      /could not be checked: pins\.db, .* can't be written/,
    )
    expect(await unknown.end()).toBe(0)
  },
)
