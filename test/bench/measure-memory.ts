import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { descendantsOf } from '../helpers/process-tree.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine } from '../helpers/running-engine.ts'

/** Resident memory in MB. */
export interface MemoryFigures {
  readonly servers: number
  /** The engine with nobody connected. */
  readonly idle: number
  /** The engine with one client in front of all servers, after a call to each. */
  readonly engine: number
  /** The same after a result of 5 MB from each. */
  readonly afterLargeResults: number
  readonly connector: number
  /** The servers' own processes together: what they would take without Sluice, too. */
  readonly serversOwn: number
}

/** Undefined where there is no /proc to read it from. */
export async function measureMemory(
  folder: string,
  server: ServerSettings,
  servers = 10,
): Promise<MemoryFigures | undefined> {
  if (process.platform !== 'linux') return undefined
  const ids = Array.from({ length: servers }, (_, n) => `server-${n}`)
  const dataDir = writeConfig(folder, Object.fromEntries(ids.map((id) => [id, server])))
  const engine = await startEngine(dataDir)
  const idle = residentMb(engine.pid)
  const client = new RawClient({ command: process.execPath, args: [CLI, 'connect', '--data-dir', dataDir] })
  await client.initialize()
  await client.request('tools/list')
  const callAll = async (name: string, args: Record<string, unknown>): Promise<void> => {
    for (const id of ids) await client.request('tools/call', { name: `${id}__${name}`, arguments: args })
    await wait(500)
  }
  await callAll('echo', { text: 'hi' })
  const small = residentMb(engine.pid)
  const own = descendantsOf(engine.pid).reduce((sum, pid) => sum + residentMb(pid), 0)
  await callAll('log', { bytes: 5_000_000 })
  const figures = {
    servers,
    idle,
    engine: small,
    afterLargeResults: residentMb(engine.pid),
    connector: residentMb(client.pid),
    serversOwn: own,
  }
  await client.end()
  await engine.stop()
  return figures
}

function residentMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
