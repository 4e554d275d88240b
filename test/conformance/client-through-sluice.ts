/**
 * The suite's "client": the built `sluice connect`, whose only server is the suite's (its address is the last
 * argument), and in front of it a client that exchanges plain JSON unfiltered: it lists, calls, reads and answers
 * questions.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { CLI_BUILD } from '../helpers/fresh-build.ts'
import { RawClient } from '../helpers/raw-client.ts'

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
    // The suite's own, used only by servers that accept such an address.
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
  },
}
const dataDir = writeConfig(join(folder, 'data'), { suite: settings })
const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, TMPDIR: folder }

const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} }
const clientInfo = { name: 'conformance', version: '1.0.0' }
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
}

const client = new RawClient({
  command: process.execPath,
  args: [CLI_BUILD, 'connect', '--server', 'suite', '--data-dir', dataDir],
  env,
  onQuestion: (method, params) => ({ result: answerTo(method, params) }),
})

/** A user who agrees to everything, and a model that says hello. */
function answerTo(method: unknown, params: unknown): JsonObject {
  if (method === 'elicitation/create')
    return { action: 'accept', content: valuesFor(isJsonObject(params) ? params['requestedSchema'] : {}) }
  if (method === 'sampling/createMessage')
    return { role: 'assistant', content: { type: 'text', text: 'Hello.' }, model: 'none' }
  return method === 'roots/list' ? { roots: [] } : {}
}

/** The result, after answering every question in it; an error where the answer is one. */
async function ask(method: string, params: JsonObject = {}): Promise<JsonObject> {
  const sent = isModern ? { ...params, _meta: envelope } : params
  const { result, error } = await client.request(method, sent)
  if (!isJsonObject(result)) throw new Error(JSON.stringify(error))
  if (result['resultType'] !== 'input_required') return result
  const questions = isJsonObject(result['inputRequests']) ? result['inputRequests'] : {}
  const inputResponses = Object.fromEntries(
    Object.entries(questions).map(([name, question]) => {
      const { method: what, params: about } = isJsonObject(question) ? question : {}
      return [name, answerTo(what, about)]
    }),
  )
  const { requestState } = result
  return ask(method, { ...params, inputResponses, ...(requestState === undefined ? {} : { requestState }) })
}

const listed = async (method: string, field: string): Promise<JsonObject[]> => {
  const list = (await ask(method))[field]
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** As the user does when sign-in is required; the page answers by itself. */
const MOST_SIGN_INS = 3
async function signInAndRepeat<T>(request: () => Promise<T>): Promise<T> {
  for (let round = 0; ; round++) {
    const before = client.heard.length
    const [outcome] = await Promise.allSettled([request()])
    const isNeeded = client.heard.slice(before).some((line) => line.includes('sluice sign-in suite'))
    if (isNeeded && round < MOST_SIGN_INS) await signIn()
    else if (outcome.status === 'fulfilled') return outcome.value
    else throw outcome.reason
  }
}

/** `sluice sign-in`, which prints the page's address. */
async function signIn(): Promise<void> {
  const args = [CLI_BUILD, 'sign-in', 'suite', '--no-browser', '--data-dir', dataDir]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  let isOpen = false
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    const page = /^(https?:\/\/\S+)\n/m.exec(said)?.[1]
    if (page === undefined || isOpen) return
    isOpen = true
    // Some scenarios make the page fail; the user then gives up.
    visit(page).catch(() => child.kill('SIGINT'))
  })
  const patience = setTimeout(() => child.kill('SIGINT'), 8000)
  await new Promise((done) => child.once('close', done))
  clearTimeout(patience)
}

async function visit(page: string): Promise<void> {
  const answer = await fetch(page, { redirect: 'manual' })
  await fetch(answer.headers.get('location') ?? '')
}

const start = (): Promise<JsonObject> =>
  isModern
    ? ask('server/discover')
    : ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })

try {
  const hello = await signInAndRepeat(start)
  if (!isModern) client.send({ method: 'notifications/initialized' })
  const can = isJsonObject(hello['capabilities']) ? hello['capabilities'] : {}
  const tools = await signInAndRepeat(() => listed('tools/list', 'tools'))
  const focal = tools.find(({ name }) => name !== 'json_schema_echo')
  const calls: readonly JsonObject[] =
    toolCalls ??
    tools.map(({ name, inputSchema }) => ({
      name,
      // This tool must get back unchanged the schema that it announced for another one.
      arguments: name === 'json_schema_echo' ? { schema: focal?.['inputSchema'] } : valuesFor(inputSchema),
    }))
  // In parallel, as clients do: calls must not affect each other.
  await signInAndRepeat(() => Promise.allSettled(calls.map((params) => ask('tools/call', params))))
  if (can['resources'])
    for (const { uri } of await listed('resources/list', 'resources'))
      await Promise.allSettled([ask('resources/read', { uri })])
  if (can['prompts'])
    for (const { name } of await listed('prompts/list', 'prompts'))
      await Promise.allSettled([ask('prompts/get', { name })])
} finally {
  await client.end()
  rmSync(folder, { recursive: true, force: true })
}

/** Each property's default, and some value for other required ones. */
function valuesFor(schema: unknown): JsonObject {
  const { properties, required } = isJsonObject(schema) ? schema : {}
  const names = Array.isArray(required) ? required.map(String) : []
  const known = isJsonObject(properties) ? Object.entries(properties) : []
  const defaults = known.flatMap(([name, property]): [string, unknown][] =>
    isJsonObject(property) && property['default'] !== undefined ? [[name, property['default']]] : [],
  )
  const values = names.map((name): [string, unknown] => {
    const property = isJsonObject(properties) ? properties[name] : undefined
    const type = isJsonObject(property) ? property['type'] : undefined
    if (type === 'boolean') return [name, true]
    return [name, type === 'number' || type === 'integer' ? 3 : 'a value']
  })
  return { ...Object.fromEntries(values), ...Object.fromEntries(defaults) }
}
