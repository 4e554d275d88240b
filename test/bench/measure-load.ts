import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { openEngineSocket } from '../../electron/engine/clients/connector/engine-socket.ts'
import { findSocketAddress } from '../../electron/engine/clients/transports/socket-address.ts'
import { StreamChannel } from '../../electron/engine/clients/transports/stream-channel.ts'
import { RpcPeer } from '../../electron/engine/protocol/peer.ts'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine } from '../helpers/running-engine.ts'
import type { Program } from './program.ts'
import { quantile } from './quantile.ts'

export interface LoadFigures {
  readonly name: string
  readonly calls: number
  readonly errors: number
  readonly callsPerSecond: number
  readonly p50: number
  readonly p99: number
  /** The engine's resident MB before and after; undefined for the server alone. */
  readonly memory: readonly [before: number, after: number] | undefined
}

const CLIENTS = 64
const IN_FLIGHT = 10

/**
 * 64 clients with 10 calls in flight each, through one engine to one shared process, and as many calls to the server
 * alone. Latency is mostly queueing, so compare the two.
 */
export async function measureLoad(
  folder: string,
  server: ServerSettings,
  { program, seconds = 60 }: { program: Program; seconds?: number },
): Promise<LoadFigures[]> {
  const child = spawn(server.command ?? '', server.args ?? [], { stdio: ['pipe', 'pipe', 'ignore'] })
  const alone = await load(
    'the server alone',
    [await introduced(child.stdout, child.stdin)],
    CLIENTS * IN_FLIGHT,
    Math.min(seconds, 15),
  )
  child.stdin.end()
  await once(child, 'close')

  const dataDir = writeConfig(join(folder, 'load'), { one: { ...server, shared: true } })
  const engine = await startEngine(dataDir, process.env, { cli: program.cli })
  const path = findSocketAddress({ dataDir, platform: process.platform, tempDir: folder })
  const sockets = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, n) => {
      const scope = { kind: 'server', serverId: 'one' } as const
      const socket = await openEngineSocket(path, { sluice: 1, scope, client: { name: `client ${n}` } })
      if (!socket) throw new Error('No engine listens.')
      return socket
    }),
  )
  const peers = await Promise.all(sockets.map((socket) => introduced(socket, socket)))
  const before = residentOf(engine.pid)
  const through = await load('64 clients through Sluice', peers, IN_FLIGHT, seconds)
  const after = residentOf(engine.pid)
  await Promise.all(peers.map((peer) => peer.close()))
  await engine.stop()
  return [alone, { ...through, memory: [before, after] }]
}

async function introduced(input: Readable, output: Writable): Promise<RpcPeer> {
  const peer = new RpcPeer(new StreamChannel({ input, output, maxMessageBytes: 100_000_000 }), {
    onRequest: () => Promise.reject(new Error('Not expected.')),
    onNotification: () => {},
  })
  await peer.start()
  const clientInfo = { name: 'load', version: '1' }
  await peer.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  await peer.notify('notifications/initialized')
  return peer
}

async function load(
  name: string,
  peers: readonly RpcPeer[],
  inFlight: number,
  seconds: number,
): Promise<LoadFigures> {
  const times: number[] = []
  let errors = 0
  const start = performance.now()
  const call = async (peer: RpcPeer, text: string): Promise<void> => {
    const from = performance.now()
    const result = await peer
      .request('tools/call', { name: 'echo', arguments: { text } })
      .catch(() => undefined)
    // Also checks that each client gets its own answer.
    if (!JSON.stringify(result?.['content'] ?? null).includes(JSON.stringify(text).slice(1, -1))) errors++
    times.push(performance.now() - from)
  }
  const caller = async (peer: RpcPeer, who: string): Promise<void> => {
    for (let n = 0; performance.now() - start < seconds * 1000; n++) await call(peer, `call ${n} of ${who}`)
  }
  await Promise.all(
    peers.flatMap((peer, client) =>
      Array.from({ length: inFlight }, (_, n) => caller(peer, `client ${client}, ${n}`)),
    ),
  )
  const callsPerSecond = (times.length * 1000) / (performance.now() - start)
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
  return { name, calls: times.length, errors, callsPerSecond, p50, p99, memory: undefined }
}

/** MB; 0 where unavailable. */
function residentOf(pid: number): number {
  if (process.platform !== 'linux') return 0
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes ?? 0) / 1024)
}
