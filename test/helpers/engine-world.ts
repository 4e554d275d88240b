import { join } from 'node:path'
import { Client, type Transport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { Engine, EngineOptions } from '../../electron/engine/engine.ts'
import { pendingHash } from '../../electron/engine/approvals/pending-hash.ts'
import type { SessionScope } from '../../electron/engine/clients/transports/client-session.ts'
import { serveChannel } from '../../electron/engine/clients/transports/serve-channel.ts'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import type { Secrets } from '../../electron/engine/ground/secrets/secrets.ts'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from './data-folder.ts'
import { linkedChannels } from './linked-channels.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { startTestEngine } from './test-engine.ts'

export interface ConnectOptions {
  readonly scope?: SessionScope
  readonly capabilities?: JsonObject
  readonly era?: 'legacy' | 'modern'
  readonly name?: string
  /** `--client`, as written by wrapping. */
  readonly wrappedAs?: string
  /** Where the client's program works. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** In this process, with these servers; requires approval unless settings say otherwise. */
export async function engineWorld(
  servers: Readonly<Record<string, ServerSettings>>,
  settings: Readonly<Record<string, unknown>> = { approvals: { firstSight: 'ask' } },
  {
    whenDone = onTestFinished,
    folder = temporaryFolder(whenDone),
    secrets,
    now = Date.now,
    startGrace,
  }: {
    /** Gets the ends of the engine and its clients, for a world of several tests: run in reverse order. */
    whenDone?: (end: () => Promise<void> | void) => void
    /** An earlier or parallel engine's. */
    folder?: string
    secrets?: Secrets
    /** For tests with clock jumps. */
    now?: () => number
    /** For tests of servers that hang. */
    startGrace?: EngineOptions['startGrace']
  } = {},
) {
  const dataDir = writeConfig(join(folder, 'data'), servers, settings)
  const { engine, logger, close } = await startTestEngine(dataDir, {
    homeDir: folder,
    tempDir: folder,
    now,
    ...(secrets === undefined ? {} : { secrets }),
    ...(startGrace === undefined ? {} : { startGrace }),
  })
  whenDone(close)

  /** A real SDK client of one server (`s` unless a scope says otherwise). */
  const connect = async (options: ConnectOptions = {}) => {
    const {
      scope = { kind: 'server', serverId: 's' },
      capabilities = {},
      era = 'legacy',
      name = 'test',
      wrappedAs,
      cwd,
      env,
    } = options
    const [near, far] = linkedChannels()
    const served = await serveChannel(far, {
      scope,
      client: {
        ...(wrappedAs === undefined ? {} : { name: wrappedAs }),
        ...(cwd === undefined ? {} : { cwd }),
        ...(env === undefined ? {} : { env }),
      },
      openSession: engine.openSession,
      logger,
    })
    const client = new Client(
      { name, version: '1' },
      { capabilities, versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
    )
    let changes = 0
    client.setNotificationHandler('notifications/tools/list_changed', () => void changes++)
    await client.connect(near as Transport)
    whenDone(async () => {
      await client.close()
      await served.closed
    })
    const names = async (): Promise<string[]> => (await client.listTools()).tools.map((tool) => tool.name)
    /** The text of a call's result. */
    const call = async (tool: string, args: JsonObject = {}): Promise<string> => {
      const { content } = await client.callTool({ name: tool, arguments: args })
      const [first] = Array.isArray(content) ? content : []
      return first?.type === 'text' ? first.text : ''
    }
    /** Count of tool list notifications. */
    const heard = (): number => changes
    return { client, heard, names, call, close: () => client.close() }
  }
  return { engine, folder, dataDir, connect, approveAll: () => approveAll(engine) }
}

/** Approves everything pending. */
function approveAll({ approvals }: Engine): void {
  for (const { identity } of approvals.store?.servers() ?? [])
    approvals.approve(identity, (approvals.store?.pending(identity) ?? []).map(pendingHash), 'test')
}
