/**
 * Around a client library, as in an app: `library-driver.ts LIBRARY CONFIG` reads a request per line of stdin and
 * prints the library's result, one line each. A separate process, because servers inherit its environment. It loads its own
 * library only: each takes a second.
 */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A program to start, or an address. */
interface Entry {
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Library {
  /** As shown to a model. */
  list(): Promise<{ names: string[]; shown: unknown }>
  call(tool: string, args: Record<string, unknown>): Promise<unknown>
  close(): Promise<void>
}

export interface DriverRequest {
  readonly server: string
  /** Omitted: list the tools. */
  readonly tool?: string
  readonly args?: Record<string, unknown>
}

const inherited = Object.fromEntries(
  Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
)

/** Without 2026-07-28's fields, which this client uses where it can: with Sluice over HTTP. */
function withoutEra(value: unknown): unknown {
  const { resultType: _, _meta: meta = {}, ...rest } = value as Record<string, unknown>
  const { 'io.modelcontextprotocol/serverInfo': __, ...others } = meta as Record<string, unknown>
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others }
}

async function openAiSdk({ command, args = [], env = {}, url, headers = {} }: Entry): Promise<Library> {
  const { createMCPClient } = await import('@ai-sdk/mcp')
  const { Experimental_StdioMCPTransport: StdioTransport } = await import('@ai-sdk/mcp/mcp-stdio')
  const client = await createMCPClient({
    transport: url
      ? { type: 'http', url, headers }
      : new StdioTransport({
          command: command ?? '',
          args: [...args],
          env: { ...inherited, ...env },
          stderr: 'ignore',
        }),
  })
  const tools = await client.tools()
  return {
    list: async () => {
      const { tools: listed } = await client.listTools()
      return { names: Object.keys(tools), shown: listed }
    },
    call: async (name, values) =>
      withoutEra(await tools[name]?.execute?.(values, { toolCallId: '1', messages: [], context: {} })),
    close: () => client.close(),
  }
}

async function openLangChain({ command, args = [], env = {}, url, headers = {} }: Entry): Promise<Library> {
  const { MultiServerMCPClient } = await import('@langchain/mcp-adapters')
  const client = new MultiServerMCPClient({
    mcpServers: {
      it: url
        ? { transport: 'http', url, headers }
        : {
            transport: 'stdio',
            command: command ?? '',
            args: [...args],
            env: { ...inherited, ...env },
            stderr: 'ignore',
          },
    },
  })
  const tools = await client.getTools()
  return {
    list: async () => ({
      names: tools.map(({ name }) => name),
      shown: tools.map(({ name, description, schema, metadata }) => ({
        name,
        description,
        schema,
        metadata,
      })),
    }),
    call: async (name, values) => tools.find((tool) => tool.name === name)?.invoke(values),
    close: () => client.close(),
  }
}

const [name, config = ''] = process.argv.slice(2)
const { mcpServers } = JSON.parse(readFileSync(config, 'utf8')) as { mcpServers: Record<string, Entry> }
const sessions = new Map<string, Promise<Library>>()

function sessionWith(server: string): Promise<Library> {
  const open = name === 'ai-sdk' ? openAiSdk : openLangChain
  const session = sessions.get(server) ?? open(mcpServers[server] ?? {})
  sessions.set(server, session)
  return session
}

for await (const line of createInterface({ input: process.stdin })) {
  const { server, tool, args = {} } = JSON.parse(line) as DriverRequest
  const answer = await sessionWith(server)
    .then(async (library) =>
      tool === undefined ? library.list() : { result: await library.call(tool, args) },
    )
    .catch((error: unknown) => ({ error: String(error) }))
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
await Promise.all([...sessions.values()].map(async (session) => (await session).close()))
