import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Patience } from '../../../../electron/engine/clients/session/patience.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** The test settles each of them. */
function waitFor(names: readonly string[]) {
  const late: string[] = []
  const patience = new Patience<string>(() => late.push('told'))
  const doings = new Map(names.map((name) => [name, Promise.withResolvers<string | undefined>()]))
  const all = () =>
    patience.all(names, 'start', (name) => doings.get(name)?.promise ?? Promise.resolve(undefined))
  const settle = async (name: string, doesFail = false): Promise<void> => {
    doings.get(name)?.resolve(doesFail ? undefined : name)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { patience, late, all, settle }
}

/** The promise's current value. */
const byNow = async (promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([promise, vi.advanceTimersByTimeAsync(0).then(() => 'nothing yet')])

test('one that hangs is waited for two seconds longer than the last of the others', async () => {
  const { all, settle, patience } = waitFor(['a', 'hangs', 'b'])
  const list = all()
  await vi.advanceTimersByTimeAsync(1500)
  await settle('a')
  await vi.advanceTimersByTimeAsync(1500)
  await settle('b')
  await vi.advanceTimersByTimeAsync(1900)
  expect(await byNow(list)).toBe('nothing yet')
  await vi.advanceTimersByTimeAsync(200)
  expect(await list).toEqual(['a', undefined, 'b'])
  expect(patience.isOverdue('hangs', 'start')).toBe(true)
  expect(patience.isOverdue('a', 'start')).toBe(false)
})

test('where nobody arrives, the wait ends after ten seconds', async () => {
  const { all } = waitFor(['hangs'])
  const list = all()
  await vi.advanceTimersByTimeAsync(9900)
  expect(await byNow(list)).toBe('nothing yet')
  await vi.advanceTimersByTimeAsync(200)
  expect(await list).toEqual([undefined])
})

test('who is overdue is not waited for again, and told of once it is there', async () => {
  const { all, settle, late, patience } = waitFor(['a', 'slow'])
  const list = all()
  await settle('a')
  await vi.advanceTimersByTimeAsync(2100)
  expect(await list).toEqual(['a', undefined])
  expect(await all()).toEqual(['a', undefined])
  expect(late).toEqual([])
  await settle('slow')
  expect(late).toEqual(['told'])
  expect(patience.isOverdue('slow', 'start')).toBe(false)
  expect(await all()).toEqual(['a', 'slow'])
})

test('one that failed late changes nothing, so nobody is told', async () => {
  const { all, settle, late } = waitFor(['a', 'broken'])
  const list = all()
  await settle('a')
  await vi.advanceTimersByTimeAsync(2100)
  await list
  await settle('broken', true)
  expect(late).toEqual([])
})
