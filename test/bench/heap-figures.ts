import { setTimeout as wait } from 'node:timers/promises'
import type { RunningEngine } from '../helpers/running-engine.ts'

/** What V8 and Node say of a process's memory, in MB: `process.memoryUsage()` of its main thread. */
export interface HeapFigures {
  readonly heapTotal: number
  readonly heapUsed: number
  readonly external: number
  readonly arrayBuffers: number
}

/** Flags for an engine that `heapFigures` can ask. */
export const INSPECTABLE = ['--inspect-port=0']

/** Opens the engine's inspector by signal, so that it was not in memory before. To be asked last. */
export async function heapFigures(engine: RunningEngine): Promise<HeapFigures> {
  process.kill(engine.pid, 'SIGUSR1')
  const socket = new WebSocket(await inspectorUrl(engine))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error('The inspector did not open.')), { once: true })
  })
  const answered = new Promise<string>((resolve) =>
    socket.addEventListener('message', ({ data }) => resolve(String(data)), { once: true }),
  )
  const expression = 'JSON.stringify(process.memoryUsage())'
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }))
  const { result } = JSON.parse(await answered) as { result: { result: { value: string } } }
  socket.close()
  const bytes = JSON.parse(result.result.value) as HeapFigures
  const mb = (value: number): number => value / 1024 / 1024
  return {
    heapTotal: mb(bytes.heapTotal),
    heapUsed: mb(bytes.heapUsed),
    external: mb(bytes.external),
    arrayBuffers: mb(bytes.arrayBuffers),
  }
}

async function inspectorUrl(engine: RunningEngine): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const url = /Debugger listening on (ws:\S+)/.exec(engine.output())?.[1]
    if (url !== undefined) return url
    await wait(50)
  }
  throw new Error(`The engine opened no inspector.\n${engine.output()}`)
}
