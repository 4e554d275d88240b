import type { Transferable, Worker } from 'node:worker_threads'
import type { SluiceErrorCode } from '../ground/errors.ts'
import type { Crossing } from './crossing.ts'
import type { Seat } from './lanes.ts'

export interface RunOptions {
  signal?: AbortSignal | undefined
  /** Milliseconds from start until the job's thread is ended. */
  timeoutMs?: number | undefined
  /** Alternative: milliseconds of processor time, unaffected by sleep or a busy machine. */
  processorMs?: number | undefined
  transfer?: Transferable[]
  /** Jobs of one key prefer the thread that did the last one, if idle: it may still have their document. */
  affinity?: string | undefined
  /** Work size if the input doesn't show it: a file's bytes, or the whole of which this is part. */
  size?: number | undefined
  /** The job's owner: each gets a turn before any gets a second. Default: the current one (whose-turn.ts). */
  turn?: string | undefined
  /** Jobs that may take long at any size get their own thread; no other job waits for them. */
  apart?: boolean | undefined
  /** The thread keeps the input's value, or the answer's result, for later jobs (kept-values.ts). */
  keeps?: boolean | undefined
  /** Most jobs of this owner waiting for the same threads; further ones reject with LIMIT_REACHED. */
  mostWaiting?: number | undefined
}

export interface WorkerRequest {
  id: number
  name: string
  /** Undefined: only load the modules of this job. */
  input: Crossing | undefined
  /** Keep the job's value under the id (kept-values.ts). */
  keeps?: boolean
}

export type WorkerReply =
  | { id: number; output: Crossing }
  /** The referenced value is gone. */
  | { id: number; isGone: true }
  | { id: number; error: { message: string; code?: SluiceErrorCode; data?: Record<string, unknown> } }

export type Input<Job> = Job extends (input: infer Value) => unknown ? Value : never
export type Output<Job> = Job extends (input: never) => infer Value ? Awaited<Value> : never

export interface Job {
  id: number
  name: string
  value: unknown
  /** Undefined: only the job's modules are loaded. */
  input: Crossing | undefined
  options: RunOptions
  turn: string
  /** The first lane that takes it. */
  lane: number
  /** The only thread with the referenced value. */
  keeper?: Thread | undefined
  resolve: (output: unknown) => void
  reject: (error: unknown) => void
  settled: boolean
}

export class Thread implements Seat {
  readonly worker: Worker
  readonly lane: number
  job: Job | undefined
  /** Fires when the job takes too long, or no new one comes. */
  timer: NodeJS.Timeout | undefined
  /** Stops watching the job's processor time. */
  stopLimit?: (() => void) | undefined
  lastAffinity: string | undefined
  preparing: string | undefined
  readonly prepared = new Set<string>()

  constructor(worker: Worker, lane: number) {
    this.worker = worker
    this.lane = lane
  }

  get isIdle(): boolean {
    return this.job === undefined
  }
}
