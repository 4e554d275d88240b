import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEngineSocket } from '../../../../electron/engine/clients/connector/engine-socket.ts'
import { prepareSocketAddress } from '../../../../electron/engine/clients/transports/prepare-socket-address.ts'
import { findSocketAddress } from '../../../../electron/engine/clients/transports/socket-address.ts'
import { writeConfig } from '../../../helpers/data-folder.ts'
import { CLI } from '../../../helpers/run-cli.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn('Skipped: only a superuser can be another user in foreign-socket.test.ts.')

const platform = process.platform
const hello = { sluice: 1 as const, scope: { kind: 'all' as const }, client: { env: { KEY: 'SECRET' } } }

/** A data folder whose path is too long for a socket, and a world-writable temporary folder. */
function longPlace() {
  const tempDir = temporaryFolder()
  chmodSync(tempDir, 0o1777)
  return { dataDir: join(temporaryFolder(), 'x'.repeat(110)), tempDir, platform }
}

/** Another user's program at this path, which prints what it receives. */
async function thief(path: string) {
  const script = `
    const { mkdirSync } = require('fs'), { dirname } = require('path')
    mkdirSync(dirname(process.argv[1]), { recursive: true, mode: 0o755 })
    process.umask(0)
    require('net').createServer((socket) => socket.on('data', (data) => process.stdout.write(data)))
      .listen(process.argv[1], () => console.log('listening'))`
  const child = spawn(process.execPath, ['-e', script, path], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  let heard = ''
  child.stdout.on('data', (data: Buffer) => (heard += data.toString()))
  await once(child.stdout, 'data')
  return { heard: () => heard }
}

describe('another user who was first', () => {
  it.runIf(isRoot)('S5: is sent nothing; connect says why, and its engine finds another place', async () => {
    const { dataDir, tempDir } = longPlace()
    const path = findSocketAddress({ dataDir, tempDir, platform })
    const { heard } = await thief(path)
    writeConfig(dataDir, {})
    const child = spawn(process.execPath, [CLI, 'connect', '--data-dir', dataDir], {
      env: { ...process.env, TMPDIR: tempDir, MY_KEY: 'SECRET' },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill())
    let said = ''
    child.stderr.on('data', (data: Buffer) => (said += data.toString()))
    child.stdin.write(
      `${JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
      })}\n`,
    )
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    expect(JSON.parse(line)).toMatchObject({ id: 1, result: { serverInfo: {} } })
    expect(said).toMatch(/belongs to another user \(65534\).*Nothing was sent/)
    expect(heard()).toBe('listening\n')
    child.stdin.end()
    await once(child, 'close')
  })

  it.runIf(isRoot)('S18: does not keep an engine from starting, and all find its other place', async () => {
    const place = longPlace()
    const usual = findSocketAddress(place)
    mkdirSync(dirname(usual))
    chownSync(dirname(usual), NOBODY, NOBODY)
    const path = await prepareSocketAddress(place)
    expect(path).not.toBe(usual)
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    expect(findSocketAddress(place)).toBe(path)
    expect(await prepareSocketAddress(place)).toBe(path)
    expect(readFileSync(join(place.dataDir, 'engine.socket-path'), 'utf8')).toBe(`${path}\n`)
    expect(Buffer.byteLength(path)).toBeLessThan(104)
  })

  it.runIf(isRoot)('S18: neither does one who takes the other place, too', async () => {
    const place = longPlace()
    const usual = findSocketAddress(place)
    mkdirSync(dirname(usual))
    chownSync(dirname(usual), NOBODY, NOBODY)
    const first = await prepareSocketAddress(place)
    chownSync(dirname(first), NOBODY, NOBODY)
    const second = await prepareSocketAddress(place)
    expect([usual, first]).not.toContain(second)
  })
})

describe.runIf(platform !== 'win32')('before anything is said', () => {
  const listening = async (change: (path: string) => void): Promise<unknown> => {
    const folder = join(temporaryFolder(), 'run')
    mkdirSync(folder, { mode: 0o700 })
    const path = join(folder, 'engine.sock')
    const heard: string[] = []
    const server = createServer((socket) => void socket.on('data', (data) => heard.push(data.toString())))
    await new Promise<void>((resolve) => server.listen(path, resolve))
    onTestFinished(() => void server.close())
    change(path)
    const opening = openEngineSocket(path, hello)
    await opening.catch(() => {})
    expect(heard).toEqual([])
    return opening
  }

  it.each([
    ['a folder that others may enter', (path: string) => chmodSync(dirname(path), 0o755)],
    ['a socket that others may write to', (path: string) => chmodSync(path, 0o666)],
  ])('%s is refused', async (_, change) => {
    await expect(listening(change)).rejects.toMatchObject({ code: 'ENGINE_FOREIGN' })
  })

  it("what isn't a socket is refused, and where there is nothing there is no engine", async () => {
    const folder = join(temporaryFolder(), 'run')
    mkdirSync(folder, { mode: 0o700 })
    const path = join(folder, 'engine.sock')
    expect(await openEngineSocket(path, hello)).toBeUndefined()
    writeFileSync(path, '')
    await expect(openEngineSocket(path, hello)).rejects.toMatchObject({ code: 'ENGINE_FOREIGN' })
  })
})
