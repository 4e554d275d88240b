import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AbortWatch } from './abort-watch.ts'
import { arrived, crossingOf, crossInTurns, isLarge } from './crossing.ts'
import { SluiceError, messageOf } from '../ground/errors.ts'
import { JobQueue } from './job-queue.ts'
import { jobSize } from './job-size.ts'
import { APART, lanesOf, MEDIUM_JOB, placeFor, youngGenerationOf } from './lanes.ts'
import { KeptElsewhere } from './kept-values.ts'
import {
  Thread,
  type Input,
  type Job,
  type Output,
  type RunOptions,
  type ThreadData,
  type WorkerReply,
  type WorkerRequest,
} from './pool-thread.ts'
import type { Logger } from '../ground/logger.ts'
import { TextMover } from './moved-texts.ts'
import { limitProcessorTime } from './processor-limit.ts'
import { clientInTurn } from './client-turns.ts'
import type { WorkerJobs } from './jobs.ts'
import { failed, keepsFrom } from './job-failure.ts'

export interface WorkerPoolOptions {
  logger: Logger
  /**
   * Besides the one for jobs apart; started on demand. Default: leaves one core to the main thread; three to four are
   * enough. Of two or more the first takes only small jobs, of three or more the second no large ones.
   */
  size?: number
  /** Default: 30 s. Each idle thread takes tens of megabytes. */
  idleMs?: number
  /** Default limit. */
  timeoutMs?: number
  /** The next job gets a new thread. */
  onCrash?: (why: string) => void
  workerUrl?: URL
}

const MOST_THREADS = 4
const FEWEST_THREADS = 3
const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_IDLE_MS = 30_000
const ABORT_GRACE_MS = 1000

const isSource = import.meta.url.endsWith('.ts')
const START = new URL(isSource ? './start.worker.ts' : './start.worker.js', import.meta.url)
const engineWorker = (): URL =>
  new URL(isSource ? '../engine.worker.ts' : '../engine.worker.js', import.meta.url)

/**
 * One job per thread. If its thread crashes or times out, a job rejects with WORKER_FAILED; the next gets a new
 * thread. A thread's lane limits its jobs' size, so that none waits for a much larger one; within a lane owners take
 * turns.
 */
export class WorkerPool<Jobs = WorkerJobs> {
  readonly #logger: Logger
  /** Per thread, ascending. */
  readonly #lanes: readonly number[]
  readonly #parallel: number
  readonly #timeoutMs: number
  readonly #idleMs: number
  readonly #url: URL
  readonly #onCrash: (why: string) => void
  readonly #threads = new Set<Thread>()
  readonly #queues = new Map<number, JobQueue<Job>>()
  readonly #aborts = new AbortWatch<Job>((job, reason) => this.#abandon(job, reason))
  readonly #mover = new TextMover()
  readonly #kept = new KeptElsewhere<Thread>()
  #lastId = 0
  #closed = false

  constructor(options: WorkerPoolOptions) {
    this.#logger = options.logger
    this.#parallel = options.size ?? Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 1))
    this.#lanes = lanesOf(options.size ?? Math.max(FEWEST_THREADS, this.#parallel))
    for (const lane of [...this.#lanes.keys(), APART]) this.#queues.set(lane, new JobQueue())
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
    this.#idleMs = options.idleMs ?? DEFAULT_IDLE_MS
    this.#url = options.workerUrl ?? engineWorker()
    this.#onCrash = options.onCrash ?? (() => {})
  }

  /** Rejects with the job's SluiceError, WORKER_FAILED, or the signal's reason. */
  run<Name extends keyof Jobs & string>(
    name: Name,
    input: Input<Jobs[Name]>,
    options: RunOptions = {},
  ): Promise<Output<Jobs[Name]>> {
    const { signal } = options
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error)
      if (this.#closed) return reject(failed(name, 'Sluice is stopping'))
      const settle = <Value>(how: (value: Value) => void) => {
        return (value: Value) => {
          if (job.settled) return
          job.settled = true
          if (signal) this.#aborts.remove(signal, job)
          how(value)
        }
      }
      const job: Job = {
        id: ++this.#lastId,
        name,
        value: input,
        input: undefined,
        options,
        turn: options.turn ?? clientInTurn(),
        lane: this.#laneOf(options, input),
        // The job table types the worker's answers by name.
        resolve: settle((output) => resolve(output as Output<Jobs[Name]>)),
        reject: settle(reject),
        settled: false,
      }
      if (this.#queueOf(job).waitingOf(job.turn) >= (options.mostWaiting ?? Infinity)) {
        const waiting = options.mostWaiting
        return reject(
          new SluiceError('LIMIT_REACHED', `Too many "${name}" jobs of one client wait already.`, {
            data: { waiting },
          }),
        )
      }
      if (signal) this.#aborts.add(signal, job)
      this.#enqueue(job)
    })
  }

  #enqueue(job: Job): void {
    this.#send(job).catch((error: unknown) => job.reject(failed(job.name, messageOf(error), error)))
  }

  async #send(job: Job): Promise<void> {
    const { value } = job
    const kept = this.#kept.in(value)
    if (kept && !job.options.apart && this.#threads.has(kept.thread)) {
      job.keeper = kept.thread
      job.lane = kept.thread.lane
      job.input = kept.crossing
    } else if (!isLarge(value)) job.input = crossingOf(value)
    else {
      job.input = await crossInTurns(this.#mover, value)
      if (this.#closed) job.reject(failed(job.name, 'Sluice is stopping'))
      if (job.settled) return
    }
    this.#queueOf(job).add(job)
    this.#startWaiting()
  }

  /** Its keeper lost the value, or is busy while another thread is idle. */
  #sendWhole(job: Job): void {
    this.#kept.forget(job.value)
    job.keeper = undefined
    job.lane = this.#laneOf(job.options, job.value)
    if (!job.settled) this.#enqueue(job)
  }

  #isBetterElsewhere({ keeper, lane }: Job): boolean {
    if (!keeper || (this.#threads.has(keeper) && keeper.isIdle)) return false
    return (
      !this.#threads.has(keeper) || [...this.#threads].some((other) => other.isIdle && other.lane >= lane)
    )
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const queue of this.#queues.values())
      for (const job of queue.takeAll()) job.reject(failed(job.name, 'Sluice is stopping'))
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, 'Sluice is stopping')))
  }

  #queueOf(job: Pick<Job, 'lane'>): JobQueue<Job> {
    const queue = this.#queues.get(job.lane)
    if (!queue) throw new Error(`There is no lane ${job.lane}.`)
    return queue
  }

  #laneOf({ apart, size }: RunOptions, input: unknown): number {
    if (apart) return APART
    const work = size ?? jobSize(input, MEDIUM_JOB + 1)
    return this.#lanes.findIndex((largest) => work <= largest)
  }

  /** Larger jobs first: smaller ones have a thread that these can't take. */
  #startWaiting(): void {
    for (const queue of [...this.#queues.values()].toReversed()) {
      for (let job = queue.first; job; job = queue.first) {
        if (this.#isBetterElsewhere(job)) {
          queue.remove(job)
          this.#sendWhole(job)
          continue
        }
        const thread = this.#threadFor(job)
        if (!thread) break
        queue.next()
        this.#start(thread, job)
      }
    }
  }

  /** Undefined: wait. */
  #threadFor(job: Job): Thread | undefined {
    const { name, lane, keeper, options } = job
    if (keeper) return keeper.isIdle ? keeper : undefined
    // What a thread keeps, other jobs need there.
    const beside = options.beside && !keepsFrom(job, this.#lanes.length)
    const limits = { lanes: this.#lanes, parallel: this.#parallel }
    const place = placeFor({ name, lane, affinity: options.affinity, beside }, [...this.#threads], limits)
    if ('on' in place) return place.on
    if ('start' in place) return this.#addThread(place.start)
    if ('prepare' in place) {
      const { prepare } = place
      this.#prepare(typeof prepare === 'number' ? this.#addThread(prepare) : prepare, name)
    }
    return undefined
  }

  /** Of small jobs the thread, so that the next one needn't wait until it has started and loaded. */
  prepare(name: keyof Jobs & string): void {
    const thread = [...this.#threads].find(({ lane }) => lane === 0)
    if (this.#closed || (thread && (!thread.isIdle || thread.prepared.has(name)))) return
    this.#prepare(thread ?? this.#addThread(0), name)
  }

  #prepare(thread: Thread, name: string): void {
    thread.preparing = name
    this.#start(thread, {
      id: ++this.#lastId,
      name,
      value: undefined,
      input: undefined,
      options: {},
      turn: '',
      lane: thread.lane,
      resolve: () => {},
      reject: () => {},
      settled: false,
    })
  }

  #start(thread: Thread, job: Job): void {
    clearTimeout(thread.timer)
    thread.job = job
    thread.lastAffinity = job.options.affinity
    this.#limit(thread, job.options)
    thread.worker.ref()
    try {
      const { id, name, input } = job
      const keeps = keepsFrom(job, this.#lanes.length)
      const request: WorkerRequest = { id, name, input, keeps }
      thread.worker.postMessage(request, job.options.transfer ?? [])
    } catch (error) {
      job.reject(failed(job.name, messageOf(error), error))
      this.#release(thread)
    }
  }

  #limit(thread: Thread, { processorMs, timeoutMs = this.#timeoutMs }: RunOptions): void {
    if (processorMs === undefined) {
      const why = `it took longer than ${timeoutMs} ms`
      thread.timer = setTimeout(() => void this.#end(thread, why), timeoutMs)
      return
    }
    thread.stopLimit = limitProcessorTime({
      limitMs: processorMs,
      used: async () => {
        const { user, system } = await thread.worker.cpuUsage()
        return (user + system) / 1000
      },
      onOver: (why) => void this.#end(thread, why),
    })
  }

  #addThread(lane: number): Thread {
    // stdout is the protocol's: a library's prints must not reach it. Open, the stream would also keep the process
    // alive.
    const workerData: ThreadData = { compiledCode: getCompileCacheDir?.(), jobs: this.#url.href }
    const worker = new Worker(START, {
      name: 'sluice-worker',
      stdout: true,
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationOf(this.#lanes[lane] ?? Infinity) },
      workerData,
    })
    worker.stdout.destroy()
    const thread = new Thread(worker, lane)
    worker.on('message', (reply: WorkerReply) => this.#onReply(thread, reply))
    worker.on('messageerror', (error) => void this.#end(thread, messageOf(error)))
    const crashed = (why: string, cause?: unknown): void => {
      if (this.#threads.has(thread) && !this.#closed) this.#onCrash(why)
      void this.#end(thread, why, cause)
    }
    worker.on('error', (error) => crashed(`its thread crashed: ${messageOf(error)}`, error))
    worker.on('exit', (code) => crashed(`its thread ended with code ${code}`))
    worker.unref()
    this.#threads.add(thread)
    return thread
  }

  #onReply(thread: Thread, reply: WorkerReply): void {
    const { job } = thread
    if (!job || job.id !== reply.id) return
    if ('output' in reply) {
      const output = arrived(this.#mover, reply.output)
      const resolve = (value: unknown): void => {
        if (keepsFrom(job, this.#lanes.length)) this.#kept.note(job.value, value, thread, job.id)
        job.resolve(value)
      }
      if (output instanceof Promise) output.then(resolve, job.reject)
      else resolve(output)
    } else if ('isGone' in reply) this.#sendWhole(job)
    else if (reply.error.code) {
      job.reject(new SluiceError(reply.error.code, reply.error.message, { data: reply.error.data ?? {} }))
    } else job.reject(failed(job.name, reply.error.message))
    this.#release(thread)
  }

  #release(thread: Thread): void {
    clearTimeout(thread.timer)
    thread.stopLimit?.()
    thread.prepared.add(thread.job?.name ?? '')
    thread.job = thread.preparing = undefined
    thread.worker.unref()
    thread.timer = setTimeout(() => void this.#end(thread, 'it had nothing to do'), this.#idleMs)
    thread.timer.unref()
    this.#startWaiting()
  }

  #abandon(job: Job, reason: unknown): void {
    job.reject(reason)
    if (this.#queueOf(job).remove(job)) return
    const thread = [...this.#threads].find((candidate) => candidate.job === job)
    if (!thread) return
    clearTimeout(thread.timer)
    thread.timer = setTimeout(() => void this.#end(thread, 'it was cancelled'), ABORT_GRACE_MS)
    thread.timer.unref()
  }

  /** Rejects the thread's job with `why`. */
  async #end(thread: Thread, why: string, cause?: unknown): Promise<void> {
    if (!this.#threads.delete(thread)) return
    clearTimeout(thread.timer)
    thread.stopLimit?.()
    const { job } = thread
    thread.job = undefined
    if (job) {
      if (!this.#closed) this.#logger.warn('A worker thread was replaced', { job: job.name, why })
      job.reject(failed(job.name, why, cause))
    }
    this.#startWaiting()
    await thread.worker.terminate()
  }
}
