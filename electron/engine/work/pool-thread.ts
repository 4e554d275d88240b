import type { Transferable, Worker } from 'node:worker_threads'
import type { SluiceErrorCode } from '../ground/errors.ts'
import type { Crossing } from './crossing.ts'
import type { Seat } from './lanes.ts'

export interface RunOptions {
  signal?: AbortSignal | undefined
  /** Milliseconds from its start after which the job's thread is ended. */
  timeoutMs?: number | undefined
  /** Instead of that: milliseconds of processor time, which a sleep or a busy machine does not use up. */
  processorMs?: number | undefined
  transfer?: Transferable[]
  /** Jobs of one key go to the thread that did the last of them, if it is idle: it may still hold their document. */
  affinity?: string | undefined
  /** How much work it is where the input does not tell it: a file's bytes, or the whole of which this is a part. */
  size?: number | undefined
  /** Whose job it is: each owner has a turn before any has a second. Default: whose work is being done (whose-turn.ts). */
  turn?: string | undefined
  /** What may take long whatever its size has a thread of its own, and no other job waits for it. */
  apart?: boolean | undefined
  /** The thread keeps the value of the input, or the result in the answer, for later jobs (kept-values.ts). */
  keeps?: boolean | undefined
  /** So many jobs of this owner wait for the same threads at the most; a further one rejects with LIMIT_REACHED. */
  mostWaiting?: number | undefined
}

/** What a thread is asked. */
export interface WorkerRequest {
  id: number
  name: string
  /** Undefined: it only loads what jobs of this name need. */
  input: Crossing | undefined
  /** The thread keeps what it is about (kept-values.ts), under the id. */
  keeps?: boolean
}

/** What a thread may answer. */
export type WorkerReply =
  | { id: number; output: Crossing }
  /** It no longer has what the input refers to. */
  | { id: number; isGone: true }
  | { id: number; error: { message: string; code?: SluiceErrorCode; data?: Record<string, unknown> } }

export type Input<Job> = Job extends (input: infer Value) => unknown ? Value : never
export type Output<Job> = Job extends (input: never) => infer Value ? Awaited<Value> : never

export interface Job {
  id: number
  name: string
  value: unknown
  /** As it crosses. Undefined: nothing but what the job needs is loaded. */
  input: Crossing | undefined
  options: RunOptions
  turn: string
  /** The first lane that takes it. */
  lane: number
  /** The one thread that has what the input refers to. */
  keeper?: Thread | undefined
  resolve: (output: unknown) => void
  reject: (error: unknown) => void
  settled: boolean
}

export class Thread implements Seat {
  readonly worker: Worker
  readonly lane: number
  job: Job | undefined
  /** Runs out when the job takes too long, or when no new one comes. */
  timer: NodeJS.Timeout | undefined
  /** Ends the watch over the job's processor time. */
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
