import { readFileSync } from 'node:fs'
import module from 'node:module'
import { InsufficientMemoryError } from 'node-llama-cpp'
import { messageOf } from '../../ground/errors.ts'
import { ToModelProcess, type FromModelProcess } from '../process-messages.ts'
import { PromptTooLong, loadModel, type LoadedModel } from './load-model.ts'

/** Node's IPC or Electron's parent port. */
export interface EnginePort {
  send(message: FromModelProcess): void
  onMessage(listener: (message: unknown) => void): void
}

type Failure = Extract<FromModelProcess, { type: 'failed' }>['reason']

/** In order; only `cancel` overtakes. Unknown messages are an error. */
export function serveModel(port: EnginePort): void {
  const running = new Map<number, AbortController>()
  let loaded: LoadedModel | undefined
  let last: Promise<void> = Promise.resolve()

  const answer = async (message: Exclude<ToModelProcess, { type: 'cancel' }>): Promise<FromModelProcess> => {
    const signal = running.get(message.id)?.signal ?? new AbortController().signal
    signal.throwIfAborted()
    const { id } = message
    if (message.type === 'load') {
      loaded = await loadModel(message)
      // Where the environment names a folder for compiled code: Node writes it at a process's end, and this one is killed.
      // Missing in some builds of Node, such as Electron's.
      module.flushCompileCache?.()
      return { type: 'loaded', id, memory: ownMemory(), ...loaded.facts }
    }
    if (!loaded) throw new Error('No model was loaded.')
    if (message.type === 'measure') {
      return {
        type: 'measured',
        id,
        memory: ownMemory(),
        speeds: await loaded.measure(message.threads, signal),
      }
    }
    return { type: 'completed', id, memory: ownMemory(), ...(await loaded.complete(message, signal)) }
  }
  const run = async (message: Exclude<ToModelProcess, { type: 'cancel' }>): Promise<void> => {
    const { id } = message
    try {
      port.send(await answer(message))
    } catch (error) {
      const isCancelled = running.get(id)?.signal.aborted ?? false
      const reason = isCancelled ? 'cancelled' : reasonOf(error, message.type)
      const counted = error instanceof PromptTooLong ? error.promptTokens : undefined
      port.send({
        type: 'failed',
        id,
        memory: ownMemory(),
        reason,
        message: messageOf(error),
        ...(counted === undefined ? {} : { promptTokens: counted }),
      })
    } finally {
      running.delete(id)
    }
  }

  port.onMessage((received) => {
    const message = ToModelProcess.parse(received)
    if (message.type === 'cancel') {
      running.get(message.id)?.abort(new Error('It was cancelled.'))
      return
    }
    running.set(message.id, new AbortController())
    last = last.then(() => run(message))
  })
}

function reasonOf(error: unknown, asked: ToModelProcess['type']): Failure {
  if (error instanceof PromptTooLong) return 'too-long'
  if (error instanceof InsufficientMemoryError) return 'no-memory'
  return asked === 'load' ? 'bad-file' : 'failed'
}

/** Without pages of the model file, which the system may keep and llama.cpp may have copied into a faster layout. */
function ownMemory(): number {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    if (kilobytes !== undefined) return Number(kilobytes) * 1024
  } catch {
    // Only Linux tells them apart.
  }
  return process.memoryUsage.rss()
}
