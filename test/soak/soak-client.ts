import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { CLI } from '../helpers/run-cli.ts'
import type { Stage } from './stage.ts'
import { compiledCode } from '../helpers/compiled-code.ts'

export type ClientKind = 'connect' | 'http' | '2026-07-28'

export interface ToolAnswer {
  readonly text: string
  readonly isError: boolean
}

/** A connection of a real SDK client. */
export interface OpenClient {
  /** Rejects with the client's error. */
  call(tool: string, args: Readonly<Record<string, unknown>>, timeoutMs: number): Promise<ToolAnswer>
  list(): Promise<void>
  /** The connector, if any. */
  readonly pid: number | undefined
  /** Ends without notice, like a crash. */
  kill(): void
  close(): Promise<void>
}

const OPEN_MS = 40_000

/** `server`: only that one, under its own names. Abandoned sessions are added to `left`. */
export async function openClient(
  stage: Stage,
  { name, kind, server }: { name: string; kind: ClientKind; server: string | undefined },
  left: Set<string>,
): Promise<OpenClient> {
  const engine = stage.engine()
  const mode = kind === '2026-07-28' ? { pin: '2026-07-28' } : 'legacy'
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode } })
  const scope = server === undefined ? [] : ['--server', server]
  const stdio =
    kind === 'connect'
      ? new StdioClientTransport({
          command: process.execPath,
          args: [CLI, 'connect', ...scope, '--data-dir', stage.dataDir],
          env: compiledCode(),
          stderr: 'ignore',
        })
      : undefined
  const url = new URL(server === undefined ? '/mcp' : `/mcp/${server}`, engine.url)
  const http = stdio
    ? undefined
    : new StreamableHTTPClientTransport(url, {
        requestInit: { headers: { Authorization: `Bearer ${engine.token}` } },
        reconnectionOptions: {
          initialReconnectionDelay: 200,
          maxReconnectionDelay: 1000,
          reconnectionDelayGrowFactor: 2,
          maxRetries: 3,
        },
      })
  // Lost notification streams are the client's concern; only calls count.
  client.onerror = () => {}
  const kill = (): void => {
    if (stdio?.pid) process.kill(stdio.pid, 'SIGKILL')
    if (http?.sessionId !== undefined) left.add(`${url.pathname} ${http.sessionId}`)
    void client.close().catch(() => {})
  }
  try {
    await client.connect((stdio ?? http) as Transport, { timeout: OPEN_MS })
  } catch (error) {
    kill()
    throw error
  }
  return {
    pid: stdio?.pid ?? undefined,
    list: async () => void (await client.listTools(undefined, { timeout: OPEN_MS })),
    call: async (tool, args, timeout) => {
      const result = await client.callTool({ name: tool, arguments: args }, { timeout })
      const [first] = Array.isArray(result.content) ? result.content : []
      return { text: first?.type === 'text' ? first.text : '', isError: result.isError === true }
    },
    kill,
    close: async () => {
      if (kind === 'http') await http?.terminateSession().catch(() => {})
      await client.close().catch(() => {})
    },
  }
}

/** Ends the sessions of crashed clients, which would otherwise stay for half an hour. */
export async function endLeftSessions(stage: Stage, left: Set<string>): Promise<void> {
  const { url, token } = stage.engine()
  const headers = { Authorization: `Bearer ${token}` }
  for (const entry of left) {
    const [path = '', session = ''] = entry.split(' ')
    await fetch(new URL(path, url), { method: 'DELETE', headers: { ...headers, 'Mcp-Session-Id': session } })
    left.delete(entry)
  }
}
