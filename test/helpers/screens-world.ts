import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { createORPCClient } from '@orpc/client'
import { RPCLink as PortLink } from '@orpc/client/message-port'
import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { EngineOptions } from '../../electron/engine/engine.ts'
import type { Engine } from '../../electron/engine/engine.ts'
import type { Listening } from '../../electron/engine/clients/listeners.ts'
import { createLogger } from '../../electron/engine/ground/logger.ts'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import type { Secrets } from '../../electron/engine/ground/secrets/secrets.ts'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from './data-folder.ts'
import { screensClient, type Api } from './screens-client.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { startTestEngine } from './test-engine.ts'

/** With real servers and both connections of the screens. */
export interface ScreensWorld {
  readonly engine: Engine
  readonly listening: Listening
  readonly dataDir: string
  readonly homeDir: string
  readonly url: string
  readonly token: string
  /** Over loopback HTTP, and over a MessagePort. */
  readonly http: Api
  readonly port: Api
  /** Answers of both, as text. */
  readonly heard: string[]
  /** With the token; `init` may change it. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** To one server. */
  connect(
    server: string,
    name?: string,
  ): Promise<(method: string, params?: JsonObject) => Promise<JsonObject>>
}

export async function startScreensWorld(
  servers: Readonly<Record<string, ServerSettings>>,
  settings: Readonly<Record<string, unknown>> = {},
  options: { readonly homeDir?: string; readonly dataDir?: string } & Partial<
    Pick<EngineOptions, 'launcher' | 'screensFolder'>
  > = {},
): Promise<ScreensWorld> {
  const dataDir = options.dataDir ?? temporaryFolder()
  const homeDir = options.homeDir ?? temporaryFolder()
  writeConfig(dataDir, servers, settings)
  const logger = createLogger({
    level: 'debug',
    file: { path: join(dataDir, 'logs', 'sluice.log'), maxBytes: 10_000_000, keep: 1 },
    now: Date.now,
  })
  const { engine, close } = await startTestEngine(dataDir, {
    logger,
    homeDir,
    // Nothing listens there: no test asks the real one.
    env: { ...process.env, SLUICE_REGISTRY: 'http://127.0.0.1:9' },
    version: '0.0.0-test',
    watchSettings: true,
    secrets: inMemory(),
    launcher: options.launcher ?? { command: process.execPath, args: ['/opt/sluice/cli.js'] },
    ...(options.screensFolder === undefined ? {} : { screensFolder: options.screensFolder }),
  })
  const channel = new MessageChannel()
  onTestFinished(async () => {
    channel.port1.close()
    await close()
  })
  const listening = await engine.listen({ port: 0 })
  const { url } = listening
  const token = readFileSync(join(dataDir, 'token'), 'utf8').trim()
  const heard: string[] = []
  const authorised: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (!response.headers.get('content-type')?.includes('event-stream'))
      heard.push(await response.clone().text())
    return response
  }
  await engine.serveScreens(channel.port1)
  channel.port1.start()
  channel.port2.start()
  const overPort: Api = createORPCClient(new PortLink({ port: channel.port2 }))
  return {
    engine,
    listening,
    dataDir,
    homeDir,
    url,
    token,
    heard,
    http: screensClient({ url, token }, authorised),
    port: overPort,
    fetch: (path, init = {}) =>
      authorised(`${url}${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
      }),
    connect: async (server, name = 'test-client') => {
      const session = engine.openSession({
        scope: { kind: 'server', serverId: server },
        client: { name },
        link: {
          era: 'legacy',
          notify: () => {},
          ask: () => Promise.reject(new Error('Nobody is asked here.')),
        },
      })
      let id = 0
      const request = (method: string, params?: JsonObject): Promise<JsonObject> =>
        session.handleRequest({
          id: id++,
          method,
          params,
          signal: new AbortController().signal,
          notify: () => {},
        })
      await request('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name, version: '1' },
      })
      return request
    },
  }
}

function inMemory(): Secrets {
  const kept = new Map<string, string>()
  return {
    get: (name) => Promise.resolve(kept.get(name)),
    set: (name, value) => {
      kept.set(name, value)
      return Promise.resolve('file')
    },
    delete: (name) => Promise.resolve(void kept.delete(name)),
    list: () => Promise.resolve([...kept.keys()].map((name) => ({ name, place: 'file' }))),
  }
}
