import type { ServerSettings } from '../../shared/settings.ts'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import type { ClientHello } from '../../electron/engine/protocol/era.ts'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import type { OpenLinkDependencies } from '../../electron/engine/servers/upstream/connection.ts'
import type { UpstreamEvents, UpstreamLink } from '../../electron/engine/protocol/link.ts'
import { createOpenLink } from '../../electron/engine/servers/open-link.ts'
import { compiledCode } from './compiled-code.ts'
import { serverPath } from './server-bundles.ts'

export const testServer = (name: string, ...args: string[]): ServerSettings => ({
  command: process.execPath,
  args: [serverPath(name), ...args],
})

export const legacyClient: ClientHello = {
  era: 'legacy',
  protocolVersion: '2025-06-18',
  capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } },
  clientInfo: { name: 'test-client', title: 'A test', version: '1.0.0' },
}

export const modernClient: ClientHello = {
  era: 'modern',
  protocolVersion: '2026-07-28',
  capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
  clientInfo: { name: 'test-client', version: '1.0.0' },
}

/** All messages from a server, in order. */
export interface Heard {
  notifications: [method: string, params: JsonObject | undefined][]
  requests: [method: string, params: JsonObject | undefined][]
  lost: Error[]
  /** Reasons of unreachability; undefined: reachable again. */
  reach: (string | undefined)[]
}

export interface TestLinkOptions {
  settings: ServerSettings
  client?: ClientHello
  deps?: Partial<OpenLinkDependencies>
  onRequest?: UpstreamEvents['onRequest']
  env?: Record<string, string>
  cwd?: string
  signal?: AbortSignal
}

export const defaultDependencies: OpenLinkDependencies = {
  logger: silentLogger,
  parseLarge: async (pieces) => JSON.parse(Buffer.concat(pieces).toString()) as unknown,
  limits: () => ({ maxMessageBytes: 256_000_000 }),
  env: { PATH: process.env['PATH'] ?? '', ...compiledCode() },
}

/** With what the server sent. */
export async function openTestLink(options: TestLinkOptions): Promise<{ link: UpstreamLink; heard: Heard }> {
  const heard: Heard = { notifications: [], requests: [], lost: [], reach: [] }
  const openLink = createOpenLink({ ...defaultDependencies, ...options.deps })
  const link = await openLink({
    serverId: 'test',
    settings: options.settings,
    client: options.client ?? legacyClient,
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    events: {
      onNotification: (method, params) => heard.notifications.push([method, params]),
      onRequest: (method, params, signal, notify) => {
        heard.requests.push([method, params])
        return (
          options.onRequest?.(method, params, signal, notify) ?? Promise.reject(new Error('Not expected.'))
        )
      },
      onReach: (failure) => heard.reach.push(failure),
      onLost: (error) => heard.lost.push(error),
    },
  })
  return { link, heard }
}

/** First part. */
export function textOf(result: JsonObject): string {
  const content = result['content'] as { text?: string }[]
  return content[0]?.text ?? ''
}
