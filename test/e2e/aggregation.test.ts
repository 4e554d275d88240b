import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ServerSettings } from '../../shared/settings.ts'
import type { EngineOptions } from '../../electron/engine/engine.ts'
import { briefGrace } from '../helpers/brief-grace.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { hostEngine } from '../helpers/host-engine.ts'
import { isRunning } from '../helpers/processes.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'
import { compiledCode } from '../helpers/compiled-code.ts'
import { waitFor } from '../helpers/wait-for.ts'

/** `connect` without `--server`, and `/mcp`. */

async function connect(dataDir: string, over: Partial<EngineOptions> = {}): Promise<Client> {
  const client = new Client({ name: 'roof', version: '1' })
  await hostEngine(dataDir, over)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'connect', '--data-dir', dataDir],
      env: compiledCode(),
      stderr: 'ignore',
    }),
  )
  onTestFinished(() => client.close())
  return client
}

const namesOf = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name)

async function textOf(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args })
  return (content as { text: string }[])[0]?.text ?? ''
}

test('names of any length and shape: at most 64 characters, different, the same every time, and they can be called', async () => {
  const offer = join(temporaryFolder(), 'offer.json')
  const odd = [
    'list.all the/things',
    'list.all_the/things',
    `${'long-'.repeat(20)}1`,
    `${'long-'.repeat(20)}2`,
    'größe',
  ]
  const tools = odd.map((name) => ({ name, inputSchema: { type: 'object' } }))
  writeFileSync(offer, JSON.stringify({ tools, prompts: [{ name: odd[2] }, { name: odd[3] }] }))
  const longest = 'a-server-with-as-many-signs-as-there-may'
  const servers = {
    [longest]: testServer('features'),
    a: testServer('changeable', offer),
    a_b: testServer('paged'),
    b: testServer('features'),
  }
  const client = await connect(writeConfig(temporaryFolder(), servers))
  const names = await namesOf(client)
  expect(names.filter((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
  const endings = (prefix: string): string[] =>
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  expect(endings(`${longest}__`)).toEqual(endings('b__'))
  expect(endings('b__').length).toBeGreaterThan(10)
  // RLM: servers `a` and `a_b` ran into one another; a second page of tools was never read.
  expect(names.filter((name) => name.startsWith('a_b__'))).toHaveLength(25)
  expect(await textOf(client, 'a_b__tool_24')).toBe('tool 24 called')

  const again = await connect(writeConfig(temporaryFolder(), servers))
  expect(await namesOf(again)).toEqual(names)
  const shortened = names.filter((name) => name.startsWith('a__'))
  const called = await Promise.all(shortened.map((name) => textOf(again, name)))
  expect(called).toEqual(odd.map((name) => `called ${name}`))
  const { prompts } = await again.listPrompts()
  const ofOdd = prompts.filter(({ name }) => name.startsWith('a__'))
  expect(ofOdd.map(({ name }) => name.length)).toEqual([64, 64])
  const { messages } = await again.getPrompt({ name: ofOdd[1]?.name ?? '' })
  expect(messages).toMatchObject([{ content: { text: `prompt ${odd[3]}` } }])
})

test('servers that fail are named and hold up nobody; the order is that of the file', async () => {
  const dataDir = writeConfig(temporaryFolder(), {
    zebra: testServer('big-result'),
    absent: { command: 'no-such-program-anywhere' },
    broken: testServer('misbehaving', '--fail-start'),
    silent: { ...testServer('misbehaving', '--silent'), disabled: true },
    ape: testServer('big-result'),
  })
  const client = await connect(dataDir)
  const names = (await namesOf(client)).filter((name) => name.includes('__'))
  expect(names).toEqual(
    ['log', 'json', 'prose', 'echo']
      .flatMap((tool) => `zebra__${tool}`)
      .concat(['log', 'json', 'prose', 'echo'].map((tool) => `ape__${tool}`)),
  )
  const told = client.getInstructions() ?? ''
  expect(told).toMatch(/absent.*no-such-program-anywhere/s)
  // Without its own, unapproved words: instructions are part of every conversation.
  expect(told).toMatch(/broken.*exited with code 7 before it introduced itself/s)
  expect(told).not.toMatch(/cannot find the database/)
  expect(told).not.toContain('silent')
  expect(await textOf(client, 'ape__echo', { text: 'here' })).toBe('here')
})

test('a server that never answers is waited for a little longer than the others, and the rest is there', async () => {
  const dataDir = writeConfig(temporaryFolder(), {
    silent: testServer('misbehaving', '--silent'),
    good: testServer('big-result'),
  })
  const client = await connect(dataDir, { startGrace: () => briefGrace() })
  expect(await namesOf(client)).toContain('good__echo')
  expect(await namesOf(client)).toContain('good__echo')
  expect(client.getInstructions()).toMatch(/silent.*has not started yet/s)
})

test('what a tool links to can be read back, and so can lists, templates and embedded resources', async () => {
  const engine = await startEngine(
    writeConfig(temporaryFolder(), { one: testServer('features'), two: testServer('features') }),
  )
  onTestFinished(async () => void (await engine.stop()))
  const client = new Client({ name: 'roof', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', engine.url), {
      requestInit: { headers: { Authorization: `Bearer ${engine.token}` } },
    }),
  )
  onTestFinished(() => client.close())
  const { content } = await client.callTool({ name: 'two__every-content', arguments: {} })
  const uris = (content as { type: string; uri?: string; resource?: { uri: string } }[]).flatMap(
    ({ uri, resource }) => uri ?? resource?.uri ?? [],
  )
  expect(uris).toEqual(['sluice:two:note://readme', 'sluice:two:note://readme', 'sluice:two:note://logo'])
  for (const uri of uris) {
    const { contents } = await client.readResource({ uri })
    expect(contents).toMatchObject([{ uri }])
  }
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual([
    'sluice:one:note://readme',
    'sluice:one:note://logo',
    'sluice:two:note://readme',
    'sluice:two:note://logo',
  ])
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'sluice:one:item://{id}',
    'sluice:two:item://{id}',
  ])
  expect((await client.readResource({ uri: 'sluice:one:item://7' })).contents).toMatchObject([
    { text: 'Item 7' },
  ])
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['one__greet', 'two__greet'])
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'two__greet' },
    argument: { name: 'language', value: 'ger' },
  })
  expect(completion.values).toEqual(['german'])
  await expect(client.readResource({ uri: 'sluice:one:no://where' })).rejects.toThrow()
})

test('hot reload: only what changed starts anew, and a call in flight is finished by the server that has it', async () => {
  const folder = temporaryFolder()
  const changing = testServer('misbehaving')
  const staying = testServer('misbehaving')
  writeConfig(folder, { changing, staying })
  const client = await connect(folder)
  const changes = vi.fn()
  client.setNotificationHandler('notifications/tools/list_changed', changes)
  const pid = async (server: string): Promise<number> =>
    (JSON.parse(await textOf(client, `${server}__pids`)) as { server: number }).server
  const [changingBefore, stayingBefore] = [await pid('changing'), await pid('staying')]
  changes.mockClear()

  const letGo = join(folder, 'let-go')
  const slow = textOf(client, 'changing__held', { path: letGo })
  // Messages are read in order: with this answer the previous call has arrived.
  await pid('changing')
  replaceConfig(folder, { changing: { ...changing, env: { CHANGED: 'yes' } }, staying })
  await waitFor(() => expect(changes).toHaveBeenCalled())
  expect(await pid('changing')).not.toBe(changingBefore)
  expect(await pid('staying')).toBe(stayingBefore)
  expect(isRunning(changingBefore)).toBe(true)
  writeFileSync(letGo, '')
  expect(await slow).toBe('done')
  await waitFor(() => expect(isRunning(changingBefore)).toBe(false))
})

/** As editors do: a new file, then renamed. */
function replaceConfig(folder: string, servers: Record<string, ServerSettings>): void {
  const path = join(folder, 'config.json')
  writeFileSync(`${path}~`, JSON.stringify({ approvals: { firstSight: 'trust' }, servers }), { mode: 0o600 })
  renameSync(`${path}~`, path)
}
