/**
 * The small calls of measure-neighbours.ts, in a process of their own: who asks for much has to read it, and a client that
 * shares its event loop would wait for that, too.
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
/** Another text each time: none comes out of the cache. */
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
