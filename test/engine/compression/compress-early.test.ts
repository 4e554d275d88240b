import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  beginUnguarded,
  composeOnce,
  type Interceptor,
  type ToolOutcome,
} from '../../../electron/engine/message/call.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { compressWorld } from '../../helpers/compress-world.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { waitFor } from '../../helpers/wait-for.ts'

let world: ReturnType<typeof compressWorld>
beforeAll(() => {
  world = compressWorld(temporaryFolder(afterAll))
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => world.close())

const log = (name: string): JsonObject => ({
  content: [
    {
      type: 'text',
      text: Array.from({ length: 400 }, (_, n) => `line ${n} of ${name}: request ${n * 7} served`).join('\n'),
    },
  ],
})
const stored = async (): Promise<number> => (await world.results.list()).length

/** A guard that decides only when the shortening has ended. */
function slowGuard(decide: (result: JsonObject) => ToolOutcome) {
  const seen: { hasBegun?: boolean; stored?: number } = {}
  const guard: Interceptor = (next) => async (call) => {
    const { result } = await next(call)
    const run = vi.spyOn(world.workers, 'run')
    seen.hasBegun = beginUnguarded(call, result)
    if (seen.hasBegun) {
      const at = await waitFor(() => {
        const place = run.mock.calls.findIndex(([name]) => name === 'compress')
        expect(place).toBeGreaterThanOrEqual(0)
        return place
      })
      await run.mock.results[at]?.value
    }
    seen.stored = await stored()
    return decide(result)
  }
  return { guard, seen }
}

const callWith = (guard: Interceptor, result: JsonObject, over = {}): Promise<ToolOutcome> =>
  composeOnce([world.compressResult, guard])(() => Promise.resolve({ result }))(world.callOf(over))

test('shortening begins before the guard decides, and nothing is stored or answered until it does', async () => {
  const before = await stored()
  const { guard, seen } = slowGuard((result) => ({ result }))
  const outcome = await callWith(guard, log('one'))
  expect(seen).toEqual({ hasBegun: true, stored: before })
  expect(await stored()).toBe(before + 1)
  const { result, compression } = await world.shorten(log('one'))
  expect(outcome.result).toEqual(result)
  expect(outcome.compression?.tokensAfter).toBe(compression?.tokensAfter)
  expect(await world.readBack(`${compression?.resultId}`)).toContain('line 399 of one')
})

test('of what the guard refuses nothing is kept', async () => {
  const before = await stored()
  const refusal = { content: [{ type: 'text', text: 'kept back' }], isError: true }
  const { guard, seen } = slowGuard(() => ({ result: refusal, refusedBy: 'guard-result' }))
  expect(await callWith(guard, log('refused'))).toEqual({ result: refusal, refusedBy: 'guard-result' })
  expect(seen.hasBegun).toBe(true)
  // The store writes in order.
  await world.shorten(log('after the refused one'))
  expect(await stored()).toBe(before + 1)
})

test('a guard that fails leaves nothing behind either', async () => {
  const before = await stored()
  const { guard } = slowGuard(() => {
    throw new Error('could not be checked')
  })
  await expect(callWith(guard, log('failed'))).rejects.toThrow('could not be checked')
  await world.shorten(log('after the failed one'))
  expect(await stored()).toBe(before + 1)
})

test('what the guard changed is shortened instead of what it got', async () => {
  const { guard } = slowGuard(() => ({ result: log('changed') }))
  const { result, compression } = await callWith(guard, log('given'))
  expect(JSON.stringify(result)).not.toContain('given')
  expect(await world.readBack(`${compression?.resultId}`)).toContain('line 399 of changed')
})

test('a summary by a model waits for the guard, and small results have nothing to begin', async () => {
  const model = slowGuard((result) => ({ result }))
  await callWith(model.guard, log('model'), { compression: { strategy: 'model' } })
  const small = slowGuard((result) => ({ result }))
  await callWith(small.guard, { content: [{ type: 'text', text: 'small' }] })
  expect([model.seen.hasBegun, small.seen.hasBegun]).toEqual([false, false])
})
