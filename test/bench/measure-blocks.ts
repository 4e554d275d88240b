import { join } from 'node:path'
import type { ServerSettings } from '../../shared/settings.ts'
import { openEngineSocket } from '../../electron/engine/downstream/engine-socket.ts'
import { findSocketAddress } from '../../electron/engine/downstream/socket-address.ts'
import type { RpcPeer } from '../../electron/engine/protocol/peer.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { introduced } from './introduced.ts'
import type { Program } from './program.ts'
import { quantile } from './quantile.ts'

export interface BlocksFigures {
  readonly blocks: number
  /** Milliseconds until the whole answer is there. */
  readonly answer: number
  /** Characters of it. */
  readonly shown: number
  /** Small calls of another client to another server meanwhile, in milliseconds. */
  readonly echoes: number
  readonly p50: number
  readonly p99: number
  readonly worst: number
}

const COUNTS = [1000, 20_000, 200_000]
const SIZE = 3

/** One client gets a result of very many text blocks; another one goes on calling a small tool, one call after the other. */
export async function measureBlocks(
  folder: string,
  { many, other }: { many: ServerSettings; other: ServerSettings },
  { program }: { program: Program },
): Promise<BlocksFigures[]> {
  const dataDir = writeConfig(join(folder, 'blocks'), { many, other }, { approvals: { firstSight: 'trust' } })
  const engine = await startEngine(dataDir, process.env, { cli: program.cli })
  const path = await findSocketAddress({ dataDir, platform: process.platform, tempDir: folder })
  const connect = async (serverId: string): Promise<RpcPeer> => {
    const scope = { kind: 'server', serverId } as const
    const socket = await openEngineSocket(path, {
      sluice: 1,
      scope,
      client: { name: `client of ${serverId}` },
    })
    if (!socket) throw new Error('No engine listens.')
    return introduced(socket, socket)
  }
  const [one, two] = [await connect('many'), await connect('other')]
  const figures: BlocksFigures[] = []
  await call(one, 'blocks', { count: 1000, size: SIZE })
  await call(two, 'echo', { text: 'warm' })
  for (const blocks of COUNTS) {
    const times: number[] = []
    let isDone = false
    const echoing = (async () => {
      for (let n = 0; !isDone; n++) {
        const from = performance.now()
        await call(two, 'echo', { text: `call ${n}` })
        times.push(performance.now() - from)
      }
    })()
    const from = performance.now()
    const result = await call(one, 'blocks', { count: blocks, size: SIZE })
    const answer = performance.now() - from
    isDone = true
    await echoing
    figures.push({
      blocks,
      answer,
      shown: JSON.stringify(result).length,
      echoes: times.length,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      worst: Math.max(...times),
    })
  }
  await Promise.all([one.close(), two.close()])
  await engine.stop()
  return figures
}

const call = (peer: RpcPeer, name: string, args: Record<string, unknown>) =>
  peer.request('tools/call', { name, arguments: args })
