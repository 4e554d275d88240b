/**
 * What the conformance suite starts as "the client": an engine of Sluice whose only server is the suite's (its address is
 * the last argument), and in front of it a client of the official SDK that lists, calls, reads and answers questions.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type Transport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { createEngine } from '../../electron/engine/engine.ts'
import { serveChannel } from '../../electron/engine/downstream/serve-channel.ts'
import { createLogger } from '../../electron/engine/logger.ts'
import { isJsonObject, type JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { linkedChannels } from '../helpers/linked-channels.ts'

const Context = z.object({
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })).optional(),
})

const url = process.argv.at(-1) ?? ''
const isModern = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] === '2026-07-28'
const { toolCalls } = Context.parse(JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}'))

const folder = mkdtempSync(join(tmpdir(), 'sluice-conformance-client-'))
const dataDir = writeConfig(join(folder, 'data'), { suite: { url } })
const logger = createLogger({ level: 'error', now: Date.now })
const engine = await createEngine({
  dataDir,
  logger,
  env: process.env,
  platform: process.platform,
  homeDir: folder,
  tempDir: folder,
  now: Date.now,
  version: '0.0.0',
  watchSettings: false,
})
const [near, far] = linkedChannels()
const served = await serveChannel(far, {
  scope: { kind: 'server', serverId: 'suite' },
  client: {},
  openSession: engine.openSession,
  logger,
})
const client = new Client(
  { name: 'conformance', version: '1.0.0' },
  {
    capabilities: { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} },
    versionNegotiation: { mode: isModern ? { pin: '2026-07-28' } : 'legacy' },
  },
)
client.setRequestHandler('elicitation/create', ({ params }) => ({
  action: 'accept',
  content: isModern && 'requestedSchema' in params ? valuesFor(params.requestedSchema) : {},
}))
client.setRequestHandler('sampling/createMessage', () => ({
  role: 'assistant',
  content: { type: 'text', text: 'Hello.' },
  model: 'none',
}))
client.setRequestHandler('roots/list', () => ({ roots: [] }))

try {
  await client.connect(near as Transport)
  const can = client.getServerCapabilities() ?? {}
  const { tools } = await client.listTools()
  const focal = tools.find(({ name }) => name !== 'json_schema_echo')
  const calls =
    toolCalls ??
    tools.map(({ name, inputSchema }) => ({
      name,
      // This tool wants to have back, untouched, the schema that it announced for another one.
      arguments: name === 'json_schema_echo' ? { schema: focal?.inputSchema } : valuesFor(inputSchema),
    }))
  // In parallel, as clients do: what belongs to one call must not reach another.
  await Promise.allSettled(calls.map((call) => client.callTool(call)))
  if (can.resources) {
    const { resources } = await client.listResources()
    await Promise.allSettled(resources.map(({ uri }) => client.readResource({ uri })))
  }
  if (can.prompts) {
    const { prompts } = await client.listPrompts()
    await Promise.allSettled(prompts.map(({ name }) => client.getPrompt({ name })))
  }
} finally {
  await client.close()
  await served.closed
  await engine.close()
  logger.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Some value for each required property. */
function valuesFor(schema: unknown): JsonObject & Record<string, string | number | boolean> {
  const { properties, required } = isJsonObject(schema) ? schema : {}
  const names = Array.isArray(required) ? required.map(String) : []
  return Object.fromEntries(
    names.map((name) => {
      const property = isJsonObject(properties) ? properties[name] : undefined
      const type = isJsonObject(property) ? property['type'] : undefined
      if (type === 'boolean') return [name, true]
      return [name, type === 'number' || type === 'integer' ? 3 : 'a value']
    }),
  )
}
