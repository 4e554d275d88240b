import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { commandOf, descendantsOf } from '../helpers/process-tree.ts'
import { fillDisk } from '../helpers/small-disk.ts'
import { isRunning } from '../helpers/processes.ts'
import type { Caller } from './caller.ts'
import type { Random } from './random.ts'
import type { Stage } from './stage.ts'

/** Months of failures of a proxy, in sequence; each resolves when it is over. */
export type Mischief =
  | 'kill a server'
  | 'stall a server'
  | 'kill a client'
  | 'stall a client'
  | 'restart a remote server'
  | 'edit the configuration'
  | 'break the configuration'
  | 'fill the disk'

export interface MischiefOptions {
  readonly stage: Stage
  readonly callers: readonly Caller[]
  readonly random: Random
  /** The data folder's file system, if it may be filled. */
  readonly disk: string | undefined
}

const OFTEN: Readonly<Record<Mischief, number>> = {
  'kill a server': 6,
  'stall a server': 4,
  'kill a client': 2,
  'stall a client': 3,
  'restart a remote server': 3,
  'edit the configuration': 4,
  'break the configuration': 1,
  'fill the disk': 2,
}

export class MischiefMaker {
  readonly counts = new Map<string, number>()
  readonly #options: MischiefOptions
  readonly #going = new Map<Mischief, Promise<void>>()

  constructor(options: MischiefOptions) {
    this.#options = options
  }

  /** Begins one, unless one of its kind is in progress. */
  begin(): void {
    const { disk, random } = this.#options
    const kind = random.weighted(OFTEN)
    if (this.#going.has(kind) || (kind === 'fill the disk' && disk === undefined)) return
    this.count(kind)
    this.#going.set(
      kind,
      this.#do(kind).finally(() => this.#going.delete(kind)),
    )
  }

  /** Waits until all are over and the initial state is restored. */
  async settle(): Promise<void> {
    await Promise.all(this.#going.values())
    await Promise.all(this.#options.stage.remotes.map((remote) => remote.start()))
    this.#options.stage.restoreConfig()
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }

  count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
  }

  async #do(kind: Mischief): Promise<void> {
    const { stage, callers, random, disk } = this.#options
    switch (kind) {
      case 'kill a server':
        return signal(this.#someServer(), 'SIGKILL')
      case 'stall a server':
        return stall(this.#someServer(), random.between(500, 8000))
      case 'kill a client':
        return random.pick(callers)?.kill()
      case 'stall a client':
        return stall(random.pick(callers)?.connectorPid, random.between(500, 4000))
      case 'restart a remote server': {
        const remote = random.pick(stage.remotes)
        await remote?.kill()
        await wait(random.between(0, 3000))
        return remote?.start()
      }
      case 'edit the configuration':
        return this.#edit()
      case 'break the configuration':
        return this.#write('{ "servers": {')
      case 'fill the disk': {
        if (disk === undefined) return
        const makeRoom = await fillDisk(disk)
        await wait(random.between(1000, 5000))
        return makeRoom()
      }
    }
  }

  #someServer(): number | undefined {
    const { stage, random } = this.#options
    return random.pick(
      descendantsOf(stage.engine().pid).filter((pid) => commandOf(pid).includes('/servers/')),
    )
  }

  /** Removes, restarts or changes the time-out of one server; others must not notice. */
  #edit(): void {
    const { stage, random } = this.#options
    const id = random.pick(Object.keys(stage.config.servers)) ?? ''
    const change = random.pick([
      { disabled: true },
      { timeoutSeconds: random.between(3, 8) },
      { env: { EDITED: String(random.between(0, 1e6)) } },
      { compression: { tokenThreshold: random.between(500, 4000) } },
    ])
    const server = stage.config.servers[id]
    // A remote server has no environment.
    const edited = server?.url !== undefined && change && 'env' in change ? {} : change
    this.#write(
      JSON.stringify({
        ...stage.config,
        servers: { ...stage.config.servers, [id]: { ...server, ...edited } },
      }),
    )
  }

  /** In place, as many editors do; on a full disk that leaves half a file. */
  #write(text: string): void {
    try {
      writeFileSync(join(this.#options.stage.dataDir, 'config.json'), text)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined || !isRunning(pid)) return
  try {
    process.kill(pid, name)
  } catch {
    // Already ended.
  }
}

async function stall(pid: number | undefined, ms: number): Promise<void> {
  signal(pid, 'SIGSTOP')
  await wait(ms)
  signal(pid, 'SIGCONT')
}
