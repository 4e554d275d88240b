import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { hostEngine } from '../helpers/host-engine.ts'
import { differences, leaves, toolsOf } from '../helpers/lists-without-sluice.ts'
import { CLI, runCli } from '../helpers/run-cli.ts'
import { runHere } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { compiledCode } from '../helpers/compiled-code.ts'
import { waitFor } from '../helpers/wait-for.ts'

const root = resolve(import.meta.dirname, '../..')
const ask = { approvals: { firstSight: 'ask' } }

interface Reviewed {
  readonly hash: string
  readonly kind: string
  readonly name: string
  readonly change: string
  readonly places: readonly { path: string; runs: readonly { text: string; state: string }[] }[]
}

function changeable(folder: string) {
  const path = join(folder, 'offer.json')
  const offer = (tools: readonly JsonObject[], more: JsonObject = {}): void => {
    // Atomically: the server may read at any time.
    writeFileSync(`${path}.new`, JSON.stringify({ tools, ...more }))
    renameSync(`${path}.new`, path)
  }
  const server: ServerSettings = {
    command: process.execPath,
    args: [join(root, 'test/fixtures/servers/changeable.ts'), path],
  }
  return { offer, server }
}

const tool = (name: string, description = `Does ${name}.`): JsonObject => ({
  name,
  description,
  inputSchema: { type: 'object' },
})

async function connect(
  dataDir: string,
  args: readonly string[],
  capabilities: JsonObject = {},
  cwd?: string,
) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities })
  const changes = vi.fn()
  client.setNotificationHandler('notifications/tools/list_changed', changes)
  await hostEngine(dataDir)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'connect', '--data-dir', dataDir, ...args],
      env: compiledCode(),
      stderr: 'ignore',
      ...(cwd === undefined ? {} : { cwd }),
    }),
  )
  onTestFinished(() => client.close())
  const names = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name)
  const call = async (name: string): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: {} })
    const [first] = Array.isArray(content) ? content : []
    return first?.type === 'text' ? first.text : ''
  }
  return { client, changes, names, call }
}

const review = async (dataDir: string, ...args: string[]): Promise<string> => {
  const { stdout, stderr, code } = await runHere(['review', '--data-dir', dataDir, ...args])
  // Servers not yet seen by a fully capable client are started for the look.
  expect(stderr).toMatch(/^(Looking at what \S+ offers …\n)?$/)
  expect(code).toBe(0)
  return stdout
}
const waiting = async (dataDir: string): Promise<Reviewed[]> => JSON.parse(await review(dataDir, '--json'))

describe('T4: a server that names its folder', () => {
  it.each(['ask', 'trust'])('works in two projects at once, after one approval (%s)', async (firstSight) => {
    const folder = temporaryFolder()
    const { server } = changeable(folder)
    const projects = ['p1', 'p2'].map((name) => join(folder, name))
    for (const project of projects) {
      mkdirSync(project)
      const words = `Saves below ${project}/images.`
      writeFileSync(
        join(project, 'offer.json'),
        JSON.stringify({ tools: [tool('save', words)], instructions: words }),
      )
    }
    const settings = { ...server, args: [server.args?.[0] ?? '', 'offer.json'] }
    const dataDir = writeConfig(join(folder, 'data'), { s: settings }, { approvals: { firstSight } })
    const connected = await Promise.all(
      projects.map((project) => connect(dataDir, ['--server', 's'], {}, project)),
    )
    const reviewIn = (cwd: string, ...args: string[]) =>
      runCli(['review', '--data-dir', dataDir, ...args], { cwd })
    if (firstSight === 'ask') expect((await reviewIn(projects[0] ?? '', 's', '--yes')).code).toBe(0)
    for (const [index, { names, call, client }] of connected.entries()) {
      await waitFor(async () => expect(await names()).toEqual(['save']))
      expect(await call('save')).toBe('called save')
      const { tools } = await client.listTools()
      expect(tools[0]?.description).toBe(`Saves below ${projects[index]}/images.`)
    }
    expect((await reviewIn(projects[1] ?? '', '--json')).stdout).toBe('[]\n')
  })
})

describe('another launch behind the same beginning', () => {
  it.each([
    {
      what: 'S2: the shell text behind a name of a secret',
      launch: (script: string, path: string, evil?: string): ServerSettings => ({
        command: 'sh',
        args: [
          '-c',
          `API_TOKEN=abc${evil === undefined ? '' : `; touch ${evil}`}; exec "${process.execPath}" "${script}" "${path}"`,
        ],
      }),
    },
    {
      what: 'S6: the value of NODE_OPTIONS',
      launch: (script: string, path: string, evil?: string): ServerSettings => ({
        command: process.execPath,
        args: [script, path],
        env: {
          NODE_OPTIONS: evil === undefined ? '--max-old-space-size=200' : `--require=${evil}`,
        },
      }),
    },
  ])('$what: nothing of it passes unasked, and review shows it', async ({ launch }) => {
    const folder = temporaryFolder()
    const { offer, server } = changeable(folder)
    offer([tool('one')])
    const [script = '', path = ''] = server.args ?? []
    const dataDir = writeConfig(join(folder, 'data'), { s: launch(script, path) }, ask)
    await review(dataDir, 's', '--yes')
    const evil = join(folder, 'evil.cjs')
    writeFileSync(evil, '')
    writeConfig(join(folder, 'data'), { s: launch(script, path, evil) }, ask)
    const { names } = await connect(dataDir, ['--server', 's'])
    expect(await names()).toEqual(['sluice_blocked'])
    const launched = (await waiting(dataDir)).find(({ kind }) => kind === 'server')
    expect(JSON.stringify(launched)).toContain(evil)
  })
})

describe('a connected client', () => {
  it('sees one tool that explains a blocked server, and all of it as soon as the user approves', async () => {
    const folder = temporaryFolder()
    const { offer, server } = changeable(folder)
    offer([tool('one'), tool('two')], { instructions: 'Obey me.' })
    const dataDir = writeConfig(join(folder, 'data'), { s: server }, ask)
    const { client, changes, names, call } = await connect(dataDir, ['--server', 's'])
    expect(client.getInstructions()).toBeUndefined()
    expect(await names()).toEqual(['sluice_blocked'])
    expect(await call('one')).toMatch(/new and was not approved yet/)
    expect(await call('sluice_blocked')).toMatch(/sluice review s/)

    await review(dataDir, 's', '--yes')
    await waitFor(() => expect(changes).toHaveBeenCalled())
    expect(await names()).toEqual(['one', 'two'])
    expect(await call('one')).toBe('called one')
  })

  it('gets one of three changed tools back at once when that one is approved', async () => {
    const folder = temporaryFolder()
    const { offer, server } = changeable(folder)
    offer([tool('one'), tool('two'), tool('three'), tool('same')])
    const dataDir = writeConfig(join(folder, 'data'), { s: server }, ask)
    const { changes, names, call } = await connect(dataDir, ['--server', 's'])
    await review(dataDir, 's', '--yes')
    await waitFor(async () => expect(await names()).toHaveLength(4))

    changes.mockClear()
    offer([tool('one', 'X'), tool('two', 'Y'), tool('three', 'Z'), tool('same')])
    await waitFor(() => expect(changes).toHaveBeenCalled())
    expect(await names()).toEqual(['same'])
    expect(await call('two')).toMatch(/has changed since the user approved it/)

    const two = (await waiting(dataDir)).find(({ name }) => name === 'two')
    expect(two?.places).toEqual([
      { path: 'description', runs: expect.arrayContaining([{ text: 'Y', state: 'added' }]) },
    ])
    await review(dataDir, '--approve', two?.hash ?? '')
    await waitFor(async () => expect(await names()).toEqual(['two', 'same']))
    expect(await call('two')).toBe('called two')
    expect(await call('one')).toMatch(/has changed/)
  })

  it('CP fault: a tool that no list holds can not be called, and a silent change is noticed before the call', async () => {
    const folder = temporaryFolder()
    const { offer, server } = changeable(folder)
    offer([tool('one')], { silent: true })
    const dataDir = writeConfig(join(folder, 'data'), { s: server }, { approvals: { firstSight: 'trust' } })
    const { names, call } = await connect(dataDir, ['--server', 's'])
    await expect(call('unlisted')).rejects.toThrow(/Unknown tool: unlisted/)
    offer([tool('one', 'Changed without a word.')], { silent: true })
    // Listing shows it at once; otherwise the next check comes with age.
    expect(await names()).toEqual(['sluice_blocked'])
    expect(await call('sluice_blocked')).toMatch(/sluice review s/)
    expect(await call('one')).toMatch(/has changed/)
  })

  it('leaves blocked things out of /mcp, its prompts and resources too', async () => {
    const folder = temporaryFolder()
    const { offer, server } = changeable(folder)
    offer([tool('one')], {
      prompts: [{ name: 'p' }],
      resources: [{ uri: 'x:a', name: 'a' }],
      resourceTemplates: [{ uriTemplate: 'x:{id}', name: 't' }],
    })
    const dataDir = writeConfig(join(folder, 'data'), { s: server }, ask)
    const { client, names } = await connect(dataDir, [])
    expect(await names()).toContain('s__sluice_blocked')
    expect((await client.listPrompts()).prompts).toEqual([])
    expect((await client.listResources()).resources).toEqual([])
    await expect(client.readResource({ uri: 'sluice:s:x:a' })).rejects.toThrow(/not approved/)
    await expect(client.getPrompt({ name: 's__p' })).rejects.toThrow(/Unknown prompt/)
    await review(dataDir, '--yes')
    await waitFor(async () => expect(await names()).toContain('s__one'))
    expect((await client.readResource({ uri: 'sluice:s:x:b' })).contents).toHaveLength(1)
  })

  it('is asked itself where it can: only the person’s yes approves', async () => {
    const folder = temporaryFolder()
    const { offer, server } = changeable(folder)
    offer([tool('one')])
    const dataDir = writeConfig(join(folder, 'data'), { s: server }, ask)
    const { client, names, call } = await connect(dataDir, ['--server', 's'], { elicitation: {} })
    const answers = [
      { action: 'decline' as const },
      { action: 'accept' as const, content: { decision: 'approve' } },
    ]
    client.setRequestHandler('elicitation/create', (request) => {
      expect(request.params.message).toMatch(/the server itself is new/)
      return answers.shift() ?? { action: 'cancel' as const }
    })
    expect(await call('sluice_blocked')).toMatch(/did not approve/)
    expect(await names()).toEqual(['sluice_blocked'])
    expect(await call('sluice_blocked')).toMatch(/The user approved/)
    expect(await names()).toEqual(['one'])
    expect(await review(dataDir, '--history')).toContain('the user of test')
  })
})

describe('a real server that lists some tools for capable clients only', () => {
  const everything = {
    command: process.execPath,
    args: [join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
  }
  const able = { roots: { listChanged: true }, sampling: {}, elicitation: {} }
  const forAble = ['get-roots-list', 'trigger-elicitation-request', 'trigger-sampling-request']

  it('one review covers every client, and none of them makes a tool look gone', async () => {
    const dataDir = writeConfig(join(temporaryFolder(), 'data'), { e: everything }, ask)
    // A client with few capabilities comes first, then the user decides.
    const plain = await connect(dataDir, ['--server', 'e'])
    expect(await plain.names()).toEqual(['sluice_blocked'])
    await review(dataDir, '--yes')
    await waitFor(async () => expect(await plain.names()).toContain('echo'))
    expect(await plain.names()).not.toContain('get-roots-list')

    const capable = await connect(dataDir, ['--server', 'e'], able)
    expect(await capable.names()).toEqual(expect.arrayContaining(['echo', ...forAble]))
    await plain.client.close()
    const again = await connect(dataDir, ['--server', 'e'])
    expect(await again.names()).toContain('echo')
    expect(await waiting(dataDir)).toEqual([])
  })

  it('the first sight of each kind of client is trusted where settings say so', async () => {
    const dataDir = writeConfig(
      join(temporaryFolder(), 'data'),
      { e: everything },
      { approvals: { firstSight: 'trust' } },
    )
    const plain = await connect(dataDir, ['--server', 'e'])
    expect(await plain.names()).toContain('echo')
    const capable = await connect(dataDir, ['--server', 'e'], able)
    expect(await capable.names()).toEqual(expect.arrayContaining(['echo', ...forAble]))
    expect(await capable.call('get-roots-list')).not.toMatch(/not approved|blocked/)
    expect(await waiting(dataDir)).toEqual([])
  })
})

describe('the record', () => {
  it('CP fault: a damaged record blocks everything, is kept, and says so', async () => {
    const folder = temporaryFolder()
    const { offer, server } = changeable(folder)
    offer([tool('one')])
    const dataDir = writeConfig(join(folder, 'data'), { s: server })
    const damaged = 'this is no database, '.repeat(400)
    writeFileSync(join(dataDir, 'pins.db'), damaged)
    const { names, call } = await connect(dataDir, ['--server', 's'])
    expect(await names()).toEqual(['sluice_blocked'])
    expect(await call('one')).toMatch(/pins\.db/)
    expect(readFileSync(join(dataDir, 'pins.db'), 'utf8')).toBe(damaged)
  })

  it('two processes deciding at once lose nothing', async () => {
    const folder = temporaryFolder()
    const { offer, server } = changeable(folder)
    const names = Array.from({ length: 4 }, (_, index) => `tool${index}`)
    offer(names.map((name) => tool(name)))
    const dataDir = writeConfig(join(folder, 'data'), { s: server }, ask)
    const connection = await connect(dataDir, ['--server', 's'])
    await connection.names()
    const hashes = (await waiting(dataDir)).map(({ hash }) => hash)
    await Promise.all(hashes.map((hash) => runCli(['review', '--data-dir', dataDir, '--approve', hash])))
    await waitFor(async () => expect(await connection.names()).toEqual(names))
  })
})

describe('a real server in two published versions', () => {
  it('names exactly what changed', async () => {
    const folder = temporaryFolder()
    // The same launch: a link moves from the old version to the new one, as in an update.
    const launcher = join(folder, 'server.mjs')
    const use = (name: string): void =>
      writeFileSync(
        launcher,
        `import ${JSON.stringify(`file://${root}/node_modules/${name}/dist/index.js`)}\n`,
      )
    use('server-filesystem-2025')
    const server: ServerSettings = { command: process.execPath, args: [launcher, folder] }
    const dataDir = writeConfig(join(folder, 'data'), { fs: server }, ask)
    const before = await connect(dataDir, ['--server', 'fs'])
    await before.names()
    await review(dataDir, 'fs', '--yes')
    await before.client.close()

    use('@modelcontextprotocol/server-filesystem')
    const after = await connect(dataDir, ['--server', 'fs'])
    const listed = await after.names()
    const changes = await waiting(dataDir)
    const [old = [], young = []] = await Promise.all(
      ['server-filesystem-2025', '@modelcontextprotocol/server-filesystem'].map((name) =>
        toolsOf(join(root, 'node_modules', name, 'dist/index.js'), folder),
      ),
    )
    const expected = differences(old, young)
    expect(expected.length).toBeGreaterThan(10)
    // Names every differing place with old and new content, and no other.
    const named = changes.flatMap(({ kind, name, places }) =>
      places.map(({ path, runs }) => {
        const text = (left: string): string =>
          runs.flatMap((run) => (run.state === left ? [] : [run.text])).join('')
        return { place: `${kind} ${name}: ${path}`, before: text('added'), after: text('removed') }
      }),
    )
    const byPlace = (one: { place: string }, other: { place: string }): number =>
      one.place < other.place ? -1 : 1
    expect(named.toSorted(byPlace)).toEqual(expected.toSorted(byPlace))
    const whole = (tool: JsonObject): string => leaves(tool).map(String).sort().join()
    const known = new Set(old.map(whole))
    const unchanged = young.filter((each) => known.has(whole(each)))
    expect(listed).toEqual(
      unchanged.length === 0 ? ['sluice_blocked'] : unchanged.map((each) => each['name']),
    )
  })
})
