import type { Transferable, Worker } from 'node:worker_threads'
import type { SluiceErrorCode } from '../ground/errors.ts'
import type { Crossing } from './crossing.ts'
import type { Seat } from './lanes.ts'

export interface RunOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  /** Processor time instead, unaffected by sleep or a busy machine. */
  processorMs?: number | undefined
  transfer?: Transferable[]
  /** Prefers the idle thread that did the key's last job: it may still have the document. */
  affinity?: string | undefined
  /** If the input doesn't show it: a file's bytes, or the whole of which this is part. */
  size?: number | undefined
  /** Each owner gets a turn before any gets a second. Default: the current one (client-turns.ts). */
  turn?: string | undefined
  /** May take long at any size: own thread, no other job waits for it. */
  apart?: boolean | undefined
  /** Short, while other jobs work on the same text: prefers another thread than theirs. */
  beside?: boolean | undefined
  /** For later jobs (kept-values.ts): the input's value, or the answer's result. */
  keeps?: boolean | undefined
  /** Per owner, for the same threads; further jobs reject with LIMIT_REACHED. */
  mostWaiting?: number | undefined
}

export interface ThreadData {
  /** Folder of the process's compile cache, which threads don't inherit. */
  readonly compiledCode: string | undefined
  /** The address of what answers its jobs. */
  readonly jobs: string
}

export interface WorkerRequest {
  id: number
  name: string
  /** Undefined: only load the job's modules. */
  input: Crossing | undefined
  /** Under the id (kept-values.ts). */
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
  /** Undefined: only load modules. */
  input: Crossing | undefined
  options: RunOptions
  turn: string
  lane: number
  keeper?: Thread | undefined
  resolve: (output: unknown) => void
  reject: (error: unknown) => void
  settled: boolean
}

export class Thread implements Seat {
  readonly worker: Worker
  readonly lane: number
  job: Job | undefined
  timer: NodeJS.Timeout | undefined
  /** Of watching processor time. */
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
