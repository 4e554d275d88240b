import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ServerSettings } from '../../shared/settings.ts'
import { INSPECTABLE } from '../bench/heap-figures.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine } from '../helpers/running-engine.ts'
import type { RunningEngine } from '../helpers/running-engine.ts'
import { serverPath } from '../helpers/server-bundles.ts'
import { testServer } from '../helpers/upstream.ts'

/** The tools of a server. */
export type Repertoire = 'misbehaving' | 'features'

type Config = Record<string, unknown> & { servers: Record<string, ServerSettings> }

/** One engine and its ten servers, seven over stdio and three over HTTP. */
export interface Stage {
  readonly dataDir: string
  readonly servers: Readonly<Record<string, Repertoire>>
  readonly config: Config
  readonly remotes: readonly Remote[]
  engine(): RunningEngine
  /** Number of engine starts: a client from an earlier one has lost its engine. */
  engineLives(): number
  /** While it is being killed. */
  isEngineDying(): boolean
  /** Kills the engine with everything in flight, and restarts it. */
  restartEngine(): Promise<void>
  /** Restores the initial config.json. */
  restoreConfig(): void
  close(): Promise<number | null>
}

/** An HTTP server in its own process on a fixed port. */
export interface Remote {
  start(): Promise<void>
  kill(): Promise<void>
}

const CALL_SECONDS = 5

export async function setStage(folder: string): Promise<Stage> {
  const dataDir = join(folder, 'data')
  const [enginePort = 0, ...ports] = await freePorts(4)
  const remotes = (['both', 'legacy', 'modern'] as const).map((eras, index) =>
    remote(ports[index] ?? 0, eras),
  )
  await Promise.all(remotes.map((each) => each.start()))
  // Every server has the data folder in its command line, to find leftovers.
  const own = (...flags: string[]): ServerSettings => testServer('misbehaving', ...flags, '--of', dataDir)
  const launches: Record<string, ServerSettings> = {
    ...Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, own()])),
    deaf: own('--deaf'),
    stubborn: own('--immortal', '--grandchild'),
    features: testServer('features', '--of', dataDir),
    ...Object.fromEntries(
      ['remote', 'sessions', 'modern'].map((id, index) => [
        id,
        { url: `http://127.0.0.1:${ports[index]}/mcp` },
      ]),
    ),
  }
  const config: Config = {
    http: { port: enginePort },
    approvals: { firstSight: 'trust' },
    results: { maxBytes: 8_000_000 },
    servers: Object.fromEntries(
      Object.entries(launches).map(([id, launch]) => [
        id,
        { ...launch, timeoutSeconds: CALL_SECONDS, startTimeoutSeconds: 20 },
      ]),
    ),
  }
  writeConfig(dataDir, config.servers, config)
  const start = (): Promise<RunningEngine> => startEngine(dataDir, process.env, { nodeArgs: INSPECTABLE })
  let engine = await start()
  let lives = 1
  let dying = false
  const restoreConfig = (): void => writeFileSync(join(dataDir, 'config.json'), JSON.stringify(config))
  return {
    dataDir,
    config,
    remotes,
    servers: Object.fromEntries(
      Object.entries(launches).map(([id, launch]) => [
        id,
        launch.args?.[0] === serverPath('misbehaving') ? 'misbehaving' : 'features',
      ]),
    ),
    engine: () => engine,
    engineLives: () => lives,
    isEngineDying: () => dying,
    restartEngine: async () => {
      dying = true
      await engine.stop('SIGKILL')
      lives++
      dying = false
      restoreConfig()
      engine = await start()
    },
    restoreConfig,
    close: async () => {
      const code = await engine.stop()
      await Promise.all(remotes.map((each) => each.kill()))
      return code
    },
  }
}

function remote(port: number, eras: 'both' | 'legacy' | 'modern'): Remote {
  let child: ChildProcess | undefined
  return {
    start: async () => {
      if (child) return
      child = spawn(process.execPath, [serverPath('features-http'), String(port), eras], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      if (child.stdout) await once(child.stdout, 'data')
    },
    kill: async () => {
      const ended = child
      child = undefined
      if (!ended) return
      const exit = once(ended, 'exit')
      ended.kill('SIGKILL')
      await exit
    },
  }
}

/** Free ports: a killed server must come back at its own address. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
