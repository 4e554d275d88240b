import { setTimeout as wait } from 'node:timers/promises'
import type { RunningEngine } from '../helpers/running-engine.ts'

/** Evaluates an expression on the main thread of an engine started with INSPECTABLE. */
export type Evaluate = (expression: string) => Promise<unknown>

/** Opens the engine's inspector by signal; it stays open until `close`. */
export async function inspectEngine(
  engine: RunningEngine,
): Promise<{ evaluate: Evaluate; close: () => void }> {
  process.kill(engine.pid, 'SIGUSR1')
  const socket = new WebSocket(await inspectorUrl(engine))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error('The inspector did not open.')), { once: true })
  })
  let last = 0
  const evaluate: Evaluate = async (expression) => {
    const answered = new Promise<string>((resolve) =>
      socket.addEventListener('message', ({ data }) => resolve(String(data)), { once: true }),
    )
    const params = { expression, returnByValue: true }
    socket.send(JSON.stringify({ id: ++last, method: 'Runtime.evaluate', params }))
    const { result } = JSON.parse(await answered) as { result: { result: { value: unknown } } }
    return result.result.value
  }
  return { evaluate, close: () => socket.close() }
}

async function inspectorUrl(engine: RunningEngine): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const url = /Debugger listening on (ws:\S+)/.exec(engine.output())?.[1]
    if (url !== undefined) return url
    await wait(50)
  }
  throw new Error(`The engine opened no inspector.\n${engine.output()}`)
}
