import { silentLogger } from '../../electron/engine/ground/logger.ts'
import { failed } from '../../electron/engine/work/job-failure.ts'
import type { WorkerJobs } from '../../electron/engine/work/jobs.ts'
import type { Input, Output, RunOptions } from '../../electron/engine/work/pool-thread.ts'
import { WorkerPool } from '../../electron/engine/work/worker-pool.ts'

/** Of all engines in this process: a thread that has loaded what it needs is the dearest part of a short test. */
let shared: WorkerPool | undefined

class Lease extends WorkerPool {
  readonly #pool: WorkerPool
  readonly #ends = new AbortController()

  constructor(pool: WorkerPool) {
    super({ logger: silentLogger })
    this.#pool = pool
  }

  override run<Name extends keyof WorkerJobs>(
    name: Name,
    input: Input<WorkerJobs[Name]>,
    options: RunOptions = {},
  ): Promise<Output<WorkerJobs[Name]>> {
    const ends = this.#ends.signal
    if (ends.aborted) return Promise.reject(failed(name, 'Sluice is stopping'))
    const signal = options.signal ? AbortSignal.any([ends, options.signal]) : ends
    return this.#pool.run(name, input, { ...options, signal })
  }

  override close(): Promise<void> {
    this.#ends.abort(failed('any', 'Sluice is stopping'))
    return Promise.resolve()
  }
}

/** For one engine; closed, it ends that engine's jobs and no thread. */
export const leaseWorkers = (): WorkerPool => new Lease((shared ??= new WorkerPool({ logger: silentLogger })))
