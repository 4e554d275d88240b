/**
 * The small calls of measure-neighbours.ts, in their own process: reading large answers would block a shared event
 * loop.
 */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { openConnect, type Target } from './open-targets.ts'
import type { Program } from './program.ts'

export interface CallTimes {
  readonly echo: readonly number[]
  readonly result: readonly number[]
}

const SMALL_BYTES = 12_000
const PAUSE_MS = 20

const [cli = '', dataDir = ''] = process.argv.slice(2)
const program: Program = { name: 'sources', cli }
const target = await openConnect('quiet', program, dataDir, 'quiet')

let seed = 0
const echo = (): Promise<void> => call(target, 'echo', { text: 'x' })
/** A different text each time, so that none is cached. */
const small = (): Promise<void> => call(target, 'json', { bytes: SMALL_BYTES, seed: ++seed })

// Threads start with the first jobs.
for (let round = 0; round < 20; round++) await small()
process.send?.('ready')

const next = async (): Promise<unknown> => ((await once(process, 'message')) as unknown[])[0]
while ((await next()) === 'follow') {
  const state = { isDone: false }
  const follow = async (one: () => Promise<void>): Promise<number[]> => {
    const times: number[] = []
    while (!state.isDone) {
      const began = performance.now()
      await one()
      times.push(performance.now() - began)
      await wait(PAUSE_MS)
    }
    return times
  }
  const followed = Promise.all([follow(echo), follow(small)])
  await next()
  state.isDone = true
  const [echoTimes, resultTimes] = await followed
  process.send?.({ echo: echoTimes, result: resultTimes } satisfies CallTimes)
}
await target.client.end()
process.disconnect()

async function call({ client }: Target, name: string, args: Record<string, unknown>): Promise<void> {
  const { error } = await client.request('tools/call', { name, arguments: args })
  if (error !== undefined) throw new Error(`${name} failed: ${JSON.stringify(error)}`)
}
