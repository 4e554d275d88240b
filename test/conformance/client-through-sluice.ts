/**
 * What the conformance suite starts as "the client": an engine of Sluice whose only server is the suite's (its address is
 * the last argument), and in front of it a client of the official SDK that lists, calls, reads and answers questions.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type Transport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { serveChannel } from '../../electron/engine/downstream/serve-channel.ts'
import { createGrantStore } from '../../electron/engine/upstream/oauth/stored-grant.ts'
import { lockPathOf } from '../../electron/engine/upstream/oauth/server-auths.ts'
import { signIn } from '../../electron/engine/upstream/oauth/sign-in.ts'
import { fileVault } from '../../electron/engine/secrets/file-vault.ts'
import { openSecrets } from '../../electron/engine/secrets/open-secrets.ts'
import type { ServerSettings } from '../../shared/settings.ts'
import { isJsonObject, type JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { linkedChannels } from '../helpers/linked-channels.ts'
import { startTestEngine } from '../helpers/test-engine.ts'

const Context = z.object({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })).optional(),
})

const url = process.argv.at(-1) ?? ''
const isModern = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] === '2026-07-28'
const {
  toolCalls,
  client_id: clientId,
  client_secret: clientSecret,
} = Context.parse(JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}'))

const folder = mkdtempSync(join(tmpdir(), 'sluice-conformance-client-'))
const settings: ServerSettings = {
  url,
  signIn: {
    // The suite's own, which only servers that take such an address look at.
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
  },
}
const dataDir = writeConfig(join(folder, 'data'), { suite: settings })
const secrets = openSecrets({ dataDir, vaults: [fileVault], warn: () => {} })
const { engine, logger, close } = await startTestEngine(dataDir, {
  secrets,
  homeDir: folder,
  tempDir: folder,
})
const client = new Client(
  { name: 'conformance', version: '1.0.0' },
  {
    capabilities: { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} },
    versionNegotiation: { mode: isModern ? { pin: '2026-07-28' } : 'legacy' },
  },
)
const ended: Promise<void>[] = []
const said = { isSignInNeeded: false }
const connect = async (): Promise<void> => {
  const [near, far] = linkedChannels()
  const send = far.send.bind(far)
  far.send = (message, options) => {
    // Not read from the client's errors: in mid-negotiation it keeps them to itself.
    said.isSignInNeeded ||= JSON.stringify(message).includes('sluice sign-in suite')
    return send(message, options)
  }
  const served = await serveChannel(far, {
    scope: { kind: 'server', serverId: 'suite' },
    client: {},
    openSession: engine.openSession,
    logger,
  })
  ended.push(served.closed)
  await client.connect(near as Transport)
}
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

/** As the user does when a request says that signing in is needed; the page answers by itself. */
const MOST_SIGN_INS = 3
const signInAndRepeat = async <T>(request: () => Promise<T>): Promise<T> => {
  for (let round = 0; ; round++) {
    said.isSignInNeeded = false
    const outcome = await Promise.allSettled([request()])
    if (said.isSignInNeeded && round < MOST_SIGN_INS) await signInBySelf()
    else if (outcome[0].status === 'fulfilled') return outcome[0].value
    else throw outcome[0].reason
  }
}
const signInBySelf = (): Promise<void> =>
  signIn({
    serverId: 'suite',
    settings,
    store: createGrantStore(secrets, 'suite', new URL(url)),
    lockPath: lockPathOf(dataDir, 'suite', 'sign-in'),
    now: Date.now,
    openPage: async (page) => {
      const answer = await fetch(page, { redirect: 'manual' })
      await fetch(answer.headers.get('location') ?? '')
    },
    patienceMs: 5000,
  })

try {
  await signInAndRepeat(() => connect())
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
  await signInAndRepeat(() => Promise.allSettled(calls.map((params) => client.callTool(params))))
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
  await Promise.all(ended)
  await close()
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
