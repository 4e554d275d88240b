import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { writeConfig } from '../helpers/data-folder.ts'
import { RawClient, type RawMessage } from '../helpers/raw-client.ts'
import { CLI } from '../helpers/run-cli.ts'
import { runHere } from '../helpers/run-here.ts'
import { startEngine, type RunningEngine } from '../helpers/running-engine.ts'
import { removeFolder } from '../helpers/remove-folder.ts'

// `sluice pause` with connected clients: of a running engine, and of one in the background.

const fixture = (file: string): string => resolve(import.meta.dirname, '../fixtures/servers', file)
const LARGE = { name: 'json', arguments: { bytes: 60_000 } }
const HOSTILE = { name: 'in_text', arguments: {} }
const PERSONAL = { name: 'echo', arguments: { text: 'Write to ada@example.org about it.' } }

const PATIENT = { timeout: 100_000 }

const textOf = (answer: RawMessage): string => {
  const { content } = answer['result'] as { content: { text: string }[] }
  return content.map(({ text }) => text).join('\n')
}

describe.each(['a running engine', 'an engine in the background'] as const)('a client at %s', (where) => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  const offer = join(folder, 'offer.json')
  const toolNamed = (name: string) => ({ name, description: 'Reads.', inputSchema: { type: 'object' } })
  writeFileSync(offer, JSON.stringify({ tools: [toolNamed('read')] }))
  const servers = {
    archive: { command: process.execPath, args: [fixture('big-result.ts')] },
    mail: { command: process.execPath, args: [fixture('poisoned.ts')] },
    notes: { command: process.execPath, args: [fixture('changeable.ts'), offer] },
  }
  const dataDir = writeConfig(join(folder, 'data'), {
    ...servers,
    archive: {
      ...servers.archive,
      tools: {
        prose: { hidden: true },
        echo: { description: 'Says it again.', masking: { direction: 'from-model' } },
      },
    },
  })
  let engine: RunningEngine | undefined
  const clients: RawClient[] = []

  const connect = async (server: keyof typeof servers): Promise<RawClient> => {
    const client = new RawClient({
      command: process.execPath,
      args: [CLI, 'connect', '--data-dir', dataDir, '--server', server],
    })
    clients.push(client)
    await client.initialize()
    return client
  }
  const direct = async (server: keyof typeof servers): Promise<RawClient> => {
    const client = new RawClient(servers[server])
    clients.push(client)
    await client.initialize()
    return client
  }
  const sluice = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runHere([...args, '--data-dir', dataDir])
    expect(stderr).toBe('')
    expect(code).toBe(0)
    return stdout
  }
  const large = async (client: RawClient): Promise<string> =>
    textOf(await client.request('tools/call', LARGE))
  const listChanges = (client: RawClient): number =>
    client.heard.filter((message) => message.includes('notifications/tools/list_changed')).length

  beforeAll(async () => {
    if (where === 'a running engine') engine = await startEngine(dataDir)
  })
  afterEach(() => sluice('resume'))
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await engine?.stop()
    removeFolder(folder)
  })

  it('reaches its servers straight through while Sluice is off, and only then', async () => {
    const [client, server, mail] = [await connect('archive'), await direct('archive'), await connect('mail')]
    const directMail = await direct('mail')
    const listedDirectly = await server.request('tools/list')
    expect(JSON.stringify(await client.request('tools/list'))).toContain('Says it again.')
    expect(textOf(await client.request('tools/call', LARGE))).toContain('[Compressed:')
    expect(textOf(await mail.request('tools/call', HOSTILE))).toContain('kept this result back')
    expect(textOf(await client.request('tools/call', PERSONAL))).toContain('[EMAIL_1]')

    const before = listChanges(client)
    expect(await sluice('pause')).toContain('Sluice is off')
    await expect.poll(() => listChanges(client), PATIENT).toBeGreaterThan(before)
    expect(resultOf(await (await connect('archive')).request('tools/list'))).toEqual(resultOf(listedDirectly))
    // Clients with a shortened result in the conversation keep the way to the rest.
    const tools = toolsOf(await client.request('tools/list'))
    expect(tools.slice(0, toolsOf(listedDirectly).length)).toEqual(toolsOf(listedDirectly))
    expect(JSON.stringify(tools)).toContain('proxy_read')
    for (const call of [LARGE, PERSONAL]) {
      expect(resultOf(await client.request('tools/call', call))).toEqual(
        resultOf(await server.request('tools/call', call)),
      )
    }
    expect(resultOf(await mail.request('tools/call', HOSTILE))).toEqual(
      resultOf(await directMail.request('tools/call', HOSTILE)),
    )
    // Placeholders of the conversation still reach the server as values.
    const learned = { name: 'echo', arguments: { text: 'Write to [EMAIL_1].' } }
    expect(textOf(await client.request('tools/call', learned))).toBe('Write to ada@example.org.')

    expect(await sluice('resume')).toBe('Sluice is on.\n')
    await expect.poll(() => large(client), PATIENT).toContain('[Compressed:')
    expect(JSON.stringify(await client.request('tools/list'))).toContain('Says it again.')
  })

  it('gets results whole while compression alone is paused, and the same list', async () => {
    const [client, mail] = [await connect('archive'), await connect('mail')]
    // The first shortened result adds the tools that read it back: then the list stays.
    await expect.poll(() => large(client), PATIENT).toContain('[Compressed:')
    const listed = await client.request('tools/list')
    expect(await sluice('pause', '--compression', '--for', '1h')).toMatch(/^Results pass whole until \d{4}-/)
    await expect.poll(() => large(client), PATIENT).toHaveLength(60_000)
    expect(resultOf(await client.request('tools/list'))).toEqual(resultOf(listed))
    expect(textOf(await mail.request('tools/call', HOSTILE))).toContain('kept this result back')
    await sluice('resume')
    await expect.poll(() => large(client), PATIENT).toContain('[Compressed:')
  })

  it('meets approvals while Sluice is off', async () => {
    const client = await connect('notes')
    await client.request('tools/list')
    await sluice('pause')
    writeFileSync(offer, JSON.stringify({ tools: [{ ...toolNamed('read'), description: 'Sends.' }] }))
    await expect
      .poll(
        async () => JSON.stringify(await client.request('tools/call', { name: 'read', arguments: {} })),
        PATIENT,
      )
      .toContain('blocked')
  })
})

const toolsOf = (answer: RawMessage): unknown[] => (answer['result'] as { tools: unknown[] }).tools
const resultOf = (answer: RawMessage): unknown => answer['result']
