import { SluiceError } from '../ground/errors.ts'
import type { CompletionPriority } from './text-model.ts'

interface Turn {
  readonly priority?: CompletionPriority | undefined
  readonly signal?: AbortSignal | undefined
  /** From now, including waiting; undefined: unlimited. */
  readonly timeLimitMs?: number | undefined
  /** Rejected with MODEL_LATE as soon as a call waits. */
  readonly givesWay?: boolean | undefined
}

export interface CompletionQueue {
  /**
   * `width` at a time, calls before background work, then first come. Rejects at once with the signal's reason or
   * MODEL_LATE; the next turn begins when `work` settles.
   */
  take<Output>(work: (signal: AbortSignal) => Promise<Output>, turn: Turn): Promise<Output>
  /** Waiting and running. */
  size(): number
  /** Rejects all, including later ones. */
  close(reason: Error): void
}

interface Job {
  readonly priority: CompletionPriority
  readonly givesWay: boolean
  readonly run: () => Promise<void>
  readonly stop: (reason: unknown) => void
}

export function createCompletionQueue(width = 1): CompletionQueue {
  const waiting: Job[] = []
  const running = new Set<Job>()
  let closed: Error | undefined

  const startNext = (): void => {
    if (running.size >= width) return
    const first = waiting.findIndex(({ priority }) => priority === 'call')
    const [next] = waiting.splice(Math.max(0, first), 1)
    if (!next) return
    running.add(next)
    void next.run().finally(() => {
      running.delete(next)
      startNext()
    })
    startNext()
  }

  return {
    take: <Output>(
      work: (signal: AbortSignal) => Promise<Output>,
      { signal, timeLimitMs, priority = 'call', givesWay = false }: Turn,
    ) =>
      new Promise<Output>((resolve, reject) => {
        if (closed) return reject(closed)
        if (signal?.aborted) return reject(signal.reason as Error)
        const controller = new AbortController()
        const onAbort = (): void => job.stop(signal?.reason)
        const late =
          timeLimitMs === undefined
            ? undefined
            : setTimeout(() => job.stop(tooLate(timeLimitMs)), timeLimitMs)
        late?.unref()
        const settle = (): void => {
          clearTimeout(late)
          signal?.removeEventListener('abort', onAbort)
        }
        const job: Job = {
          priority,
          givesWay,
          run: async () => {
            try {
              resolve(await work(controller.signal))
            } catch (error) {
              reject(error)
            } finally {
              settle()
            }
          },
          stop: (reason) => {
            const place = waiting.indexOf(job)
            if (place >= 0) waiting.splice(place, 1)
            settle()
            reject(reason)
            controller.abort(reason)
          },
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        waiting.push(job)
        if (priority === 'call') {
          for (const other of running) if (other.givesWay) other.stop(gaveWay())
        }
        startNext()
      }),
    size: () => waiting.length + running.size,
    close: (reason) => {
      closed = reason
      for (const job of [...waiting, ...running]) job.stop(reason)
    },
  }
}

const tooLate = (timeLimitMs: number): SluiceError =>
  new SluiceError(
    'MODEL_LATE',
    `The model was not done within ${Math.round(timeLimitMs / 100) / 10} s. Use a smaller model, a shorter text, or a longer model.timeLimitSeconds.`,
  )

const gaveWay = (): SluiceError =>
  new SluiceError('MODEL_LATE', 'It gave way to a call; it is done again when no call waits.')
