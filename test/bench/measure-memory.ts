import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { descendantsOf } from '../helpers/process-tree.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { heapFigures, INSPECTABLE } from './heap-figures.ts'
import type { HeapFigures } from './heap-figures.ts'
import { processFigures } from './process-figures.ts'
import type { ProcessFigures } from './process-figures.ts'
import type { Program } from './program.ts'

export interface MemoryFigures {
  readonly servers: number
  readonly states: readonly MemoryState[]
  /** The engine's main thread in the last state. */
  readonly heap: HeapFigures
  readonly connector: ProcessFigures
  /** Plain Node waiting for stdin. */
  readonly bareNode: ProcessFigures
  /** Total resident memory of the servers' processes, MB, which they also need without Sluice. */
  readonly serversOwn: number
}

/** The engine's process at one time. */
export interface MemoryState extends ProcessFigures {
  readonly name: string
}

const SETTLE_MS = 3_000

/** Undefined without /proc. `idleMs`: how long the engine is idle at the end. */
export async function measureMemory(
  folder: string,
  server: ServerSettings,
  { program, servers = 10, idleMs = 40_000 }: { program: Program; servers?: number; idleMs?: number },
): Promise<MemoryFigures | undefined> {
  if (process.platform !== 'linux') return undefined
  const ids = Array.from({ length: servers }, (_, n) => `server-${n}`)
  const dataDir = writeConfig(join(folder, 'data'), Object.fromEntries(ids.map((id) => [id, server])))
  const bare = new RawClient({ command: process.execPath, args: ['-e', 'process.stdin.resume()'] })
  const engine = await startEngine(dataDir, process.env, { cli: program.cli, nodeArgs: INSPECTABLE })
  const states: MemoryState[] = []
  const note = async (name: string): Promise<void> => {
    await wait(SETTLE_MS)
    states.push({ name, ...processFigures(engine.pid) })
  }
  await note('nobody connected')
  const args = [program.cli, 'connect', '--data-dir', dataDir]
  const client = new RawClient({ command: process.execPath, args })
  await client.initialize()
  await client.request('tools/list')
  await note(`${servers} servers connected and listed`)
  const callAll = async (name: string, callArguments: Record<string, unknown>): Promise<void> => {
    for (const id of ids) {
      await client.request('tools/call', { name: `${id}__${name}`, arguments: callArguments })
    }
  }
  await callAll('echo', { text: 'hi' })
  await note('each called once')
  const serversOwn = descendantsOf(engine.pid).reduce((sum, pid) => sum + processFigures(pid).rss, 0)
  await callAll('log', { bytes: 5_000_000 })
  await note('a result of 5 MB from each')
  await wait(idleMs)
  await note(`after ${Math.round((idleMs + SETTLE_MS) / 1000)} s without a call`)
  const figures = {
    servers,
    states,
    heap: await heapFigures(engine),
    connector: processFigures(client.pid),
    bareNode: processFigures(bare.pid),
    serversOwn,
  }
  await Promise.all([client.end(), bare.end()])
  await engine.stop()
  return figures
}
