import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { writeConfig } from '../helpers/data-folder.ts'
import { hostEngine } from '../helpers/host-engine.ts'
import { CLI } from '../helpers/run-cli.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'
import { compiledCode } from '../helpers/compiled-code.ts'

/** Faults of earlier systems that show only when everything is combined: docs/predecessor-faults.md. */

type Block = { type: string; text?: string; [key: string]: unknown }

const servers = { counting: testServer('counting'), features: testServer('features') }
let dataDir: string

beforeEach(() => {
  dataDir = writeConfig(temporaryFolder(), servers, { logLevel: 'debug' })
})

async function connect(...args: string[]): Promise<Client> {
  const client = new Client({ name: 'faults', version: '1' })
  await hostEngine(dataDir)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'connect', '--data-dir', dataDir, ...args],
      env: compiledCode(),
      stderr: 'ignore',
    }),
  )
  onTestFinished(() => client.close())
  return client
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: args })
  return { result, blocks: result.content as Block[], text: (result.content as Block[])[0]?.text ?? '' }
}

const idIn = (text: string): string => /id: (r_\w+)/.exec(text)?.[1] ?? ''

describe('the original', () => {
  test('MCPCP fault: bypass called the tool again; here it gives the stored original', async () => {
    const client = await connect('--server', 'counting')
    const { text: shortened } = await call(client, 'large')
    expect(shortened).toMatch(/^\[Compressed: /)
    const { text: whole } = await call(client, 'large', { _sluice_bypass: true })
    expect(whole).toMatch(/^this is call number 1\n/)
    expect(whole).toHaveLength('this is call number 1\n'.length + 60_000)
    // The header's number is the ledger's: counted, not estimated.
    expect(shortened).toMatch(new RegExp(`^\\[Compressed: ${countTokens(whole)}→`))
    expect((await call(client, 'calls')).text).toBe('1')
  })

  test('MCPCP fault: after compression the original was gone; fourth design: the key to it reached no model', async () => {
    const client = await connect('--server', 'counting')
    const { text } = await call(client, 'large')
    const id = idIn(text)
    const page = await call(client, 'proxy_read', { id, offset: 0, limit: 1 })
    expect(page.text).toBe('this is call number 1\n')
    // The way back is in the text that models see, without a path of this machine.
    expect(text.split('\n')[0]).toMatch(/proxy_\w+ .*with this id/)
    expect(text).not.toContain(dataDir)
    expect((await call(client, 'calls')).text).toBe('1')
  })

  test('fourth design: only joined text was kept; here parts stay parts, with their fields, in their order', async () => {
    const client = await connect('--server', 'counting')
    const { result, blocks } = await call(client, 'parts')
    // The last one is Sluice's own, once in a session: how arguments name a result.
    expect(blocks.map(({ type }) => type)).toEqual(['text', 'image', 'text', 'text', 'text'])
    expect(blocks[4]?.text).toContain('sluice://')
    expect(blocks[0]).toMatchObject({ annotations: { priority: 0.7 }, _meta: { part: 'rows' } })
    expect(blocks[1]).toMatchObject({ data: 'iVBORw0KGgo=', mimeType: 'image/png' })
    expect(blocks[2]).toMatchObject({ annotations: { audience: ['user'] } })
    expect(blocks[3]).toEqual({ type: 'text', text: 'a short last word' })
    expect(result._meta).toMatchObject({ 'example.org/kept': true })
    // MCPCP joined the parts before detecting their kind, so that JSON became invalid.
    expect(blocks[0]?.text).toMatch(/^\[Compressed: \d+→\d+ tokens, strategy: json/)
    expect(blocks[2]?.text).toMatch(/^\[Compressed: \d+→\d+ tokens, strategy: log/)
  })
})

describe('the result', () => {
  test('RLM and CP fault: isError was lost', async () => {
    const client = await connect('--server', 'counting')
    const { result, text } = await call(client, 'large-failure')
    expect(result.isError).toBe(true)
    expect(text).toMatch(/^\[Compressed: /)
    const missing = await call(client, 'proxy_read', { id: 'r_000000' })
    expect(missing.result.isError).toBe(true)
  })

  test('MCPCP fault: structuredContent stayed as large as it was; CP fault: it was dropped, and SDK clients threw', async () => {
    const client = await connect('--server', 'counting')
    await client.listTools()
    // The SDK's client checks structured content against the listed schema.
    const { result } = await call(client, 'structured')
    const { rows } = result.structuredContent as { rows: unknown[] }
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(result.structuredContent).length).toBeLessThan(8_000)
  })
})

describe('the lists', () => {
  test("MCPCP fault: definitions carried fields of the proxy's own; RLM fault: they lost their servers'", async () => {
    const [all, one] = await Promise.all([connect(), connect('--server', 'features')])
    const [listed, own] = await Promise.all([all.listTools(), one.listTools()])
    const under = listed.tools.filter(({ name }) => name.startsWith('features__'))
    expect(under).toEqual(own.tools.map((tool) => ({ ...tool, name: `features__${tool.name}` })))
    expect(under.find(({ name }) => name === 'features__echo')).toMatchObject({
      title: 'Echo',
      annotations: { readOnlyHint: true },
      icons: [{}],
      _meta: { 'example.org/tool': { cost: 1 } },
    })
    expect(under.find(({ name }) => name === 'features__weather')?.outputSchema).toBeDefined()
  })

  test('MCPCP fault: a server without prompts and resources broke the lists; CP fault: one without tools could not start', async () => {
    const client = await connect()
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['features__greet'])
    expect((await client.listResources()).resources).toHaveLength(2)
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1)
  })

  test("RLM fault: a server's instructions were never sent on", async () => {
    const [all, one] = await Promise.all([connect(), connect('--server', 'features')])
    expect(one.getInstructions()).toMatch(/^Call echo first/)
    expect(all.getInstructions()).toMatch(/# features\nCall echo first/)
  })
})

test('MCPCP fault: its debug log held arguments, goals and results', async () => {
  const client = await connect()
  await client.listTools()
  await call(client, 'features__echo', { text: 'a-word-of-the-argument' })
  const { text } = await call(client, 'counting__large', { _sluice_goal: 'a-word-of-the-goal' })
  await call(client, 'proxy_search', { id: idIn(text), pattern: 'a-word-of-the-search' })
  await client.close()
  const log = readFileSync(join(dataDir, 'logs', 'sluice.log'), 'utf8')
  expect(log).toContain('"level":"debug"')
  expect(log).not.toMatch(/a-word-of-the|this is call number|worker-\d request/)
})
