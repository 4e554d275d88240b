import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Transferable } from 'node:worker_threads'
import { SluiceError, messageOf } from './errors.ts'
import type { SluiceErrorCode } from './errors.ts'
import type { Logger } from './logger.ts'
import { TextMover } from './moved-texts.ts'
import type { MovedText } from './moved-texts.ts'
import type { WorkerJobs } from './worker-jobs.ts'

export interface WorkerPoolOptions {
  logger: Logger
  /** Threads at the most; they are started when first needed. Default: one core is left to the main thread, four are enough. */
  size?: number
  /** A thread without a job for so long is ended: each holds tens of megabytes. Default: 30 s. */
  idleMs?: number
  /** For a job that names no limit of its own. */
  timeoutMs?: number
  /** Hears of threads that ended by themselves; the next job gets a new one. */
  onCrash?: (why: string) => void
  /** The module that does the jobs. */
  workerUrl?: URL
}

export interface RunOptions {
  signal?: AbortSignal | undefined
  /** Milliseconds from its start after which the job's thread is ended. */
  timeoutMs?: number | undefined
  transfer?: Transferable[]
  /** Jobs of one key go to the thread that did the last of them, if it is idle: it may still hold their document. */
  affinity?: string | undefined
}

/** What a thread is asked. */
export interface WorkerRequest {
  id: number
  name: string
  input: unknown
  /** Long texts of the input, which cross the border as shared memory. */
  moved?: readonly MovedText[] | undefined
}

/** What a thread may answer. */
export type WorkerReply =
  | { id: number; output: unknown; moved?: readonly MovedText[] | undefined }
  | { id: number; error: { message: string; code?: SluiceErrorCode; data?: Record<string, unknown> } }

type Input<Job> = Job extends (input: infer Value) => unknown ? Value : never
type Output<Job> = Job extends (input: never) => infer Value ? Awaited<Value> : never

interface Job {
  id: number
  name: string
  input: unknown
  moved: readonly MovedText[] | undefined
  options: RunOptions
  resolve: (output: unknown) => void
  reject: (error: unknown) => void
  settled: boolean
}

interface Thread {
  worker: Worker
  job: Job | undefined
  /** Runs out when the job takes too long, or when no new one comes. */
  timer: NodeJS.Timeout | undefined
  lastAffinity: string | undefined
}

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_IDLE_MS = 30_000
/** An abandoned job may end by itself; a thread that stays busy longer is replaced. */
const ABORT_GRACE_MS = 1000

const engineWorker = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './engine.worker.ts' : './engine.worker.js', import.meta.url)

/**
 * Runs CPU-heavy jobs beside the main thread, one at a time per thread. A job whose thread crashes or runs out of time
 * rejects with WORKER_FAILED, nothing else is touched, and the next job gets a new thread.
 */
export class WorkerPool<Jobs = WorkerJobs> {
  readonly #logger: Logger
  readonly #size: number
  readonly #timeoutMs: number
  readonly #idleMs: number
  readonly #url: URL
  readonly #onCrash: (why: string) => void
  readonly #threads = new Set<Thread>()
  readonly #queue: Job[] = []
  readonly #mover = new TextMover()
  #lastId = 0
  #closed = false

  constructor(options: WorkerPoolOptions) {
    this.#logger = options.logger
    this.#size = options.size ?? Math.min(4, Math.max(1, availableParallelism() - 1))
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
    this.#idleMs = options.idleMs ?? DEFAULT_IDLE_MS
    this.#url = options.workerUrl ?? engineWorker()
    this.#onCrash = options.onCrash ?? (() => {})
  }

  /** Rejects with the job's own SluiceError, with WORKER_FAILED, or with the signal's reason. */
  run<Name extends keyof Jobs & string>(
    name: Name,
    input: Input<Jobs[Name]>,
    options: RunOptions = {},
  ): Promise<Output<Jobs[Name]>> {
    const { signal } = options
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error)
      if (this.#closed) return reject(failed(name, 'Sluice is stopping'))
      const onAbort = () => this.#abandon(job, signal?.reason)
      const settle = <Value>(how: (value: Value) => void) => {
        return (value: Value) => {
          if (job.settled) return
          job.settled = true
          signal?.removeEventListener('abort', onAbort)
          how(value)
        }
      }
      const job: Job = {
        id: ++this.#lastId,
        name,
        input,
        moved: undefined,
        options,
        // The job table says what the worker module answers to each name.
        resolve: settle((output) => resolve(output as Output<Jobs[Name]>)),
        reject: settle(reject),
        settled: false,
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      void this.#enqueue(job)
    })
  }

  async #enqueue(job: Job): Promise<void> {
    if (TextMover.isNeededFor(job.input)) {
      const { value, moved } = await this.#mover.takeOut(job.input)
      Object.assign(job, { input: value, moved })
      if (this.#closed) job.reject(failed(job.name, 'Sluice is stopping'))
      if (job.settled) return
    }
    this.#queue.push(job)
    this.#startNext()
  }

  /** Ends all threads and rejects what they were doing. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true
    for (const job of this.#queue.splice(0)) job.reject(failed(job.name, 'Sluice is stopping'))
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, 'Sluice is stopping')))
  }

  #startNext(): void {
    const next = this.#queue[0]
    if (!next) return
    const idle = [...this.#threads].filter((thread) => !thread.job)
    const familiar = idle.find(
      (thread) => next.options.affinity !== undefined && thread.lastAffinity === next.options.affinity,
    )
    const thread = familiar ?? idle[0] ?? (this.#threads.size < this.#size ? this.#addThread() : undefined)
    if (!thread) return
    this.#queue.shift()
    this.#start(thread, next)
    this.#startNext()
  }

  #start(thread: Thread, job: Job): void {
    clearTimeout(thread.timer)
    thread.job = job
    thread.lastAffinity = job.options.affinity
    const timeoutMs = job.options.timeoutMs ?? this.#timeoutMs
    thread.timer = setTimeout(() => {
      void this.#end(thread, `it took longer than ${timeoutMs} ms`)
    }, timeoutMs)
    thread.worker.ref()
    try {
      const { id, name, input, moved } = job
      const request: WorkerRequest = { id, name, input, moved }
      thread.worker.postMessage(request, job.options.transfer ?? [])
    } catch (error) {
      job.reject(failed(job.name, messageOf(error), error))
      this.#release(thread)
    }
  }

  #addThread(): Thread {
    // stdout belongs to the protocol: whatever a library prints in a thread must not reach it. Left
    // open, the stream would also keep the process from ending.
    const worker = new Worker(this.#url, { name: 'sluice-worker', stdout: true })
    worker.stdout.destroy()
    const thread: Thread = { worker, job: undefined, timer: undefined, lastAffinity: undefined }
    worker.on('message', (reply: WorkerReply) => this.#onReply(thread, reply))
    worker.on('messageerror', (error) => void this.#end(thread, messageOf(error)))
    const crashed = (why: string, cause?: unknown): void => {
      // One that we end ourselves is no longer in the list when it exits.
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
    if ('output' in reply && reply.moved) {
      void this.#mover.putBack(reply.output, reply.moved).then(job.resolve, job.reject)
    } else if ('output' in reply) job.resolve(reply.output)
    else if (reply.error.code) {
      job.reject(new SluiceError(reply.error.code, reply.error.message, { data: reply.error.data ?? {} }))
    } else job.reject(failed(job.name, reply.error.message))
    this.#release(thread)
  }

  #release(thread: Thread): void {
    clearTimeout(thread.timer)
    thread.job = undefined
    thread.worker.unref()
    thread.timer = setTimeout(() => void this.#end(thread, 'it had nothing to do'), this.#idleMs)
    thread.timer.unref()
    this.#startNext()
  }

  #abandon(job: Job, reason: unknown): void {
    job.reject(reason)
    const waiting = this.#queue.indexOf(job)
    if (waiting >= 0) {
      this.#queue.splice(waiting, 1)
      return
    }
    const thread = [...this.#threads].find((candidate) => candidate.job === job)
    if (!thread) return
    clearTimeout(thread.timer)
    thread.timer = setTimeout(() => void this.#end(thread, 'it was cancelled'), ABORT_GRACE_MS)
    thread.timer.unref()
  }

  /** Takes a thread out of service; the job it had, if any, is told why. */
  async #end(thread: Thread, why: string, cause?: unknown): Promise<void> {
    if (!this.#threads.delete(thread)) return
    clearTimeout(thread.timer)
    const { job } = thread
    thread.job = undefined
    if (job) {
      if (!this.#closed) this.#logger.warn('A worker thread was replaced', { job: job.name, why })
      job.reject(failed(job.name, why, cause))
    }
    this.#startNext()
    await thread.worker.terminate()
  }
}

const failed = (job: string, why: string, cause?: unknown): SluiceError =>
  new SluiceError('WORKER_FAILED', `The background job "${job}" failed: ${why}.`, { data: { job }, cause })
