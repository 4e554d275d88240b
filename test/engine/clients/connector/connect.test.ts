import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compiledCode } from '../../../helpers/compiled-code.ts'
import { waitFor } from '../../../helpers/wait-for.ts'

const fixture = (name: string): string => join(import.meta.dirname, '../../../fixtures/downstream', name)
const children: ChildProcess[] = []
let dataDir = ''

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-connect-'))
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

function start(script: string, command = process.execPath, args = [fixture(script), dataDir]) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  children.push(child)
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const exited = once(child, 'exit').then(([code]: unknown[]) => code)
  return {
    child,
    exited,
    errors: () => errors,
    line: async (): Promise<string> => {
      const { value, done } = await lines.next()
      return done ? 'end' : value
    },
    type: (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`),
  }
}

async function startEngine() {
  const engine = start('echo-engine.ts')
  expect(await engine.line()).toBe('listening')
  return engine
}

const call = (id: number, name: string, args = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Process ids behind the sessions; all must have ended. */
async function upstreams(): Promise<number[]> {
  const text = await readFile(join(dataDir, 'pids'), 'utf8').catch(() => '')
  return text.trim().split('\n').filter(Boolean).map(Number)
}
const running = async (): Promise<number> => (await upstreams()).filter(isAlive).length

/** Process ids of the engines that connectors started; an engine can serve before its own is written. */
async function engines(): Promise<number[]> {
  const text = await readFile(join(dataDir, 'engines'), 'utf8').catch(() => '')
  return text.trim().split('\n').filter(Boolean).map(Number)
}
const livingEngines = async (): Promise<number> => (await engines()).filter(isAlive).length

describe.skipIf(process.platform === 'win32')('sluice connect', () => {
  describe.each(['with an engine', 'without an engine'])('%s', (setting) => {
    const prepare = (): Promise<unknown> => (setting === 'with an engine' ? startEngine() : Promise.resolve())

    it.each([
      ['modern', { mode: { pin: '2026-07-28' as const } }],
      ['legacy', { mode: 'legacy' as const }],
    ])('serves the SDK client of the %s era', async (_, versionNegotiation) => {
      await prepare()
      const client = new Client({ name: 'sdk', version: '1' }, { versionNegotiation })
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [fixture('echo-connect.ts'), dataDir],
          env: compiledCode(),
          stderr: 'ignore',
        }),
      )
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain('echo')
      const result = await client.callTool({ name: 'echo', arguments: { a: 1 } })
      expect(result.content).toEqual([{ type: 'text', text: '{"a":1}' }])
      expect(await running()).toBeGreaterThan(0)
      await client.close()
      await expect.poll(running).toBe(0)
    })

    it('answers what was asked before stdin ended, then exits with 0 and leaves nothing behind', async () => {
      await prepare()
      const connector = start('echo-connect.ts')
      connector.type(call(1, 'big'))
      connector.type(call(2, 'echo', { last: true }))
      connector.child.stdin.end()
      expect((await connector.line()).length).toBeGreaterThan(20_000_000)
      expect(JSON.parse(await connector.line())).toMatchObject({ id: 2 })
      expect(await connector.exited).toBe(0)
      await expect.poll(running).toBe(0)
    })

    it.each(setting === 'with an engine' ? (['SIGTERM'] as const) : (['SIGINT', 'SIGHUP'] as const))(
      'ends cleanly on %s in mid-call',
      async (signal) => {
        await prepare()
        const connector = start('echo-connect.ts')
        connector.type(call(1, 'echo'))
        await connector.line()
        connector.type(call(2, 'wait'))
        connector.child.kill(signal)
        expect(await connector.exited).toBe(0)
        await expect.poll(running).toBe(0)
      },
    )

    it('leaves no process behind when it is killed in mid-call', async () => {
      await prepare()
      const connector = start('echo-connect.ts')
      connector.type(call(1, 'echo'))
      await connector.line()
      connector.type(call(2, 'wait'))
      expect(await running()).toBe(1)
      connector.child.kill('SIGKILL')
      await expect.poll(running).toBe(0)
    })

    it('exits when its parent dies although stdin stays open', async () => {
      await prepare()
      // The intermediate shell dies; its child keeps our pipe as stdin.
      const script = `"$0" "$1" "$2" <&3 & echo $!; wait`
      const shell = spawn('sh', ['-c', script, process.execPath, fixture('echo-connect.ts'), dataDir], {
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      })
      children.push(shell)
      const [first] = (await once(shell.stdout ?? shell, 'data')) as [Buffer]
      const pid = Number(first.toString().trim())
      const input = shell.stdio[3]
      if (input && 'write' in input) input.write(`${JSON.stringify(call(1, 'echo'))}\n`)
      await expect.poll(running).toBe(1)
      shell.kill('SIGKILL')
      await expect.poll(() => isAlive(pid)).toBe(false)
      await expect.poll(running).toBe(0)
    })
  })

  it('MCPCP wrote its log to stdout: here every line of stdout is protocol', async () => {
    const connector = start('echo-connect.ts')
    connector.child.stdin.write('this is no JSON\n')
    expect(JSON.parse(await connector.line())).toMatchObject({ error: { code: -32700 } })
    connector.type({ jsonrpc: '2.0', id: 1, method: 'no/such/method' })
    connector.child.stdin.end()
    expect(JSON.parse(await connector.line())).toMatchObject({ id: 1, error: { code: -32601 } })
    expect(await connector.line()).toBe('end')
    expect(await connector.exited).toBe(0)
    await expect.poll(engines).toHaveLength(1)
  })

  it('starts an engine when the one it joined is killed; it ends after its last client', async () => {
    const engine = await startEngine()
    const connector = start('echo-connect.ts')
    connector.type(call(1, 'echo'))
    await connector.line()
    engine.child.kill('SIGKILL')
    await engine.exited
    await waitFor(() => expect(connector.errors()).toContain('the Sluice engine went away'))
    connector.type(call(2, 'echo', { again: true }))
    expect(JSON.parse(await connector.line())).toMatchObject({ id: 2, result: {} })
    await expect.poll(livingEngines).toBe(1)
    connector.child.stdin.end()
    expect(await connector.exited).toBe(0)
    await expect.poll(livingEngines).toBe(0)
  })

  it('ends half of a message that a killed engine has written, and answers its request', async () => {
    const engine = await startEngine()
    const connector = start('echo-connect.ts')
    const { stdout } = connector.child
    // Without a reader, neither side proceeds.
    const begun = once(stdout, 'data').then(() => stdout.pause())
    connector.type(call(1, 'big'))
    await begun
    engine.child.kill('SIGKILL')
    await engine.exited
    stdout.resume()
    const half = await connector.line()
    expect(half).toMatch(/^\{"jsonrpc":"2.0","id":1,"result"/)
    expect(() => JSON.parse(half) as unknown).toThrow(SyntaxError)
    expect(JSON.parse(await connector.line())).toMatchObject({ id: 1, error: { code: -32000 } })
  })

  it('goes on when the engine is stopped, and the engine stops although a client is in mid-call', async () => {
    const engine = await startEngine()
    const connector = start('echo-connect.ts')
    connector.type(call(1, 'echo'))
    await connector.line()
    connector.type(call(2, 'wait'))
    engine.child.kill('SIGTERM')
    expect(await engine.exited).toBe(0)
    expect(JSON.parse(await connector.line())).toMatchObject({ id: 2, error: {} })
    expect(await running()).toBe(0)
    connector.child.stdin.end()
    expect(await connector.exited).toBe(0)
  })

  it('starts one engine for several that begin at once, beside the socket of a dead one', async () => {
    const engine = await startEngine()
    engine.child.kill('SIGKILL')
    await engine.exited
    const all = Array.from({ length: 5 }, () => start('echo-connect.ts'))
    for (const connector of all) {
      connector.type(call(1, 'echo', { n: 1 }))
      expect(JSON.parse(await connector.line())).toMatchObject({ id: 1, result: {} })
    }
    await expect.poll(engines).toHaveLength(1)
    for (const connector of all) connector.child.stdin.end()
    for (const connector of all) expect(await connector.exited).toBe(0)
    await expect.poll(livingEngines).toBe(0)
  })

  it('follows an engine in the foreground that takes the place of the one in the background; no call is lost', async () => {
    const connector = start('echo-connect.ts')
    connector.type(call(1, 'echo'))
    await connector.line()
    connector.type(call(2, 'ask'))
    const question = JSON.parse(await connector.line()) as { id: number }
    const engine = await startEngine()
    // The engine in the background has a call under way: it serves this one, too.
    connector.type(call(3, 'echo', { n: 3 }))
    expect(JSON.parse(await connector.line())).toMatchObject({ id: 3, result: {} })
    await expect.poll(livingEngines).toBe(1)
    connector.type({ jsonrpc: '2.0', id: question.id, result: { roots: [] } })
    expect(JSON.parse(await connector.line())).toMatchObject({ id: 2, result: {} })
    await expect.poll(livingEngines).toBe(0)
    connector.type(call(4, 'echo', { n: 4 }))
    expect(JSON.parse(await connector.line())).toMatchObject({ id: 4, result: {} })
    expect(connector.errors()).toBe('')
    await expect.poll(engines).toHaveLength(1)
    connector.child.stdin.end()
    expect(await connector.exited).toBe(0)
    engine.child.kill()
  })

  it('an engine in the foreground stays: another one is refused', async () => {
    await startEngine()
    const second = start('echo-engine.ts')
    expect(await second.exited).toBe(1)
    expect(second.errors()).toContain('already runs')
  })

  it('says why no engine starts, to every request', async () => {
    await writeFile(join(dataDir, 'run'), 'a file where the folder has to be')
    const connector = start('echo-connect.ts')
    connector.type(call(1, 'echo'))
    expect(JSON.parse(await connector.line())).toMatchObject({ id: 1, error: {} })
    expect(connector.errors()).toContain(join(dataDir, 'run'))
  })

  it('hands folder and environment of the client to the engine, and refuses what the engine refuses', async () => {
    const engine = await startEngine()
    const refused = start('', process.execPath, [
      '--input-type=module',
      '-e',
      `import { openEngineSocket } from ${JSON.stringify(join(import.meta.dirname, '../../../../electron/engine/clients/connector/engine-socket.ts'))}
       const hello = { sluice: 1, scope: { kind: 'server', serverId: 'a__b' }, client: {} }
       await openEngineSocket(${JSON.stringify(join(dataDir, 'run', 'engine.sock'))}, hello).catch((error) => console.log(error.message))`,
    ])
    expect(await refused.line()).toContain('refused this connection')
    engine.child.kill()
  })
})
