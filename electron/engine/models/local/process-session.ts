import { FromModelProcess, type ToModelProcess } from '../process-messages.ts'
import type { ModelProcess } from './model-process.ts'

type Question = Exclude<ToModelProcess, { type: 'cancel' }>
type WithoutId<Message> = Message extends unknown ? Omit<Message, 'id'> : never
export type ModelQuestion = WithoutId<Question>

/** One run. */
export interface ProcessSession {
  readonly pid: number | undefined
  /** An abort is passed on, and the process killed if it doesn't stop soon. Rejects with ProcessEnded. */
  ask(question: ModelQuestion, signal?: AbortSignal): Promise<FromModelProcess>
  /** Never rejects. */
  readonly ended: Promise<string>
  end(): Promise<void>
}

export class ProcessEnded extends Error {}

/** The library checks for an abort between batches of tokens. */
const CANCEL_GRACE_MS = 5000
const END_GRACE_MS = 2000

export function startSession(child: ModelProcess): ProcessSession {
  const waiting = new Map<
    number,
    { resolve: (answer: FromModelProcess) => void; reject: (why: Error) => void }
  >()
  let lastId = 0
  let isOver = false
  const { promise: ended, resolve: onEnded } = Promise.withResolvers<string>()

  child.onMessage((message) => {
    const answer = FromModelProcess.safeParse(message)
    if (!answer.success) return child.kill('SIGKILL')
    waiting.get(answer.data.id)?.resolve(answer.data)
    waiting.delete(answer.data.id)
  })
  child.onEnd((how) => {
    isOver = true
    for (const { reject } of waiting.values()) reject(new ProcessEnded(how))
    waiting.clear()
    onEnded(how)
  })

  return {
    // Electron's processes have none before they run.
    get pid() {
      return child.pid
    },
    ended,
    ask: async (question, signal) => {
      if (isOver) throw new ProcessEnded(await ended)
      const id = ++lastId
      let grace: NodeJS.Timeout | undefined
      const onAbort = (): void => {
        child.send({ type: 'cancel', id })
        grace = setTimeout(() => child.kill('SIGKILL'), CANCEL_GRACE_MS)
      }
      try {
        return await new Promise<FromModelProcess>((resolve, reject) => {
          waiting.set(id, { resolve, reject })
          child.send({ ...question, id })
          if (signal?.aborted) onAbort()
          else signal?.addEventListener('abort', onAbort, { once: true })
        })
      } finally {
        clearTimeout(grace)
        signal?.removeEventListener('abort', onAbort)
      }
    },
    end: async () => {
      if (isOver) return
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), END_GRACE_MS)
      await ended
      clearTimeout(force)
    },
  }
}
