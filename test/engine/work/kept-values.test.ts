import { createHash } from 'node:crypto'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { messageOf } from '../../../electron/engine/ground/errors.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { KeptElsewhere, KeptHere } from '../../../electron/engine/work/kept-values.ts'
import { parseLargeIn } from '../../../electron/engine/work/parse-large.ts'
import { WorkerPool } from '../../../electron/engine/work/worker-pool.ts'
import type { UnrulyJobs } from '../../fixtures/workers/unruly.worker.ts'

const pools: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

function enginePool(): WorkerPool {
  const pool = new WorkerPool({ logger: silentLogger, size: 1 })
  pools.push(pool)
  return pool
}

function unruly(size: number): WorkerPool<UnrulyJobs> {
  const workerUrl = new URL('../../fixtures/workers/unruly.worker.ts', import.meta.url)
  const pool = new WorkerPool<UnrulyJobs>({ logger: silentLogger, size, workerUrl })
  pools.push(pool)
  return pool
}

const LARGE = { size: 50_000_000, keeps: true }

async function parsed(pool: WorkerPool, word: string): Promise<JsonObject> {
  const message = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: word }] } }
  const bytes = new TextEncoder().encode(JSON.stringify(message))
  return ((await parseLargeIn(pool)([bytes])) as { result: JsonObject }).result
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** Changes only this copy, so that a job's input identifies the copy. */
function mark(result: JsonObject): string {
  const before = hashOf(result)
  result['isMarked'] = true
  return before
}

describe('what a thread keeps for the next job', () => {
  test('a result is sent no second time: neither whole nor as a member of a job', async () => {
    const pool = enginePool()
    const result = await parsed(pool, 'water\u001b[2J')
    const before = mark(result)
    expect((await pool.run('pack-result', result)).sha256).toBe(before)
    const revealed = await pool.run('reveal', { value: result, mode: 'strip' })
    expect(revealed?.value).toEqual({ content: [{ type: 'text', text: 'water' }] })
  })

  test('what is gone is sent', async () => {
    const pool = enginePool()
    const result = await parsed(pool, 'water')
    mark(result)
    for (const word of ['stone', 'sand']) await parsed(pool, word)
    expect((await pool.run('pack-result', result)).sha256).toBe(hashOf(result))
    expect((await pool.run('reveal', { value: result, mode: 'strip' })) ?? 'clean').toBe('clean')
  })

  test('a copy that was changed on its way is another value', async () => {
    const pool = enginePool()
    const result = await parsed(pool, 'water')
    const masked = { ...result, content: [{ type: 'text', text: '[WORD_1]' }] }
    expect((await pool.run('pack-result', masked)).sha256).toBe(hashOf(masked))
  })

  test('a thread that crashed takes nothing with it', async () => {
    const pool = unruly(1)
    const value = { words: 'kept' }
    const first = { value, at: 1 }
    expect(await pool.run('echo', first, LARGE)).toEqual(first)
    const crashed = pool.run('crash', null).catch(messageOf)
    // Waits behind the crash for the ending thread.
    const waiting = pool.run('echo', { value, at: 2 })
    expect(await crashed).toContain('kaboom')
    expect(await waiting).toEqual({ value, at: 2 })
    expect(await pool.run('echo', { value, at: 3 })).toEqual({ value, at: 3 })
  })

  test('no job waits for a busy thread that keeps its value while another one is idle', async () => {
    const pool = unruly(4)
    const value = { words: 'kept' }
    // Threads for large jobs; the first keeps the value.
    await pool.run('echo', { value }, LARGE)
    const memory = new Int32Array(new SharedArrayBuffer(4))
    const held = pool.run('hold', memory, { size: 50_000_000 })
    const other = await pool.run('thread', 0, { size: 50_000_000 })
    expect(await pool.run('echo', { value, at: 2 }, LARGE)).toEqual({ value, at: 2 })
    Atomics.store(memory, 0, 1)
    Atomics.notify(memory, 0)
    expect(await held).not.toBe(other)
  })
})

describe('both sides', () => {
  test('refer to a value by the job that it came with, and to its latest copy', () => {
    const [here, elsewhere] = [new KeptHere(), new KeptElsewhere<string>()]
    const value = { content: [] }
    for (const id of [1, 2]) {
      here.keep(id, { value }, undefined)
      elsewhere.note({ value }, undefined, `thread ${id}`, id)
    }
    const found = elsewhere.in({ value, mode: 'strip' })
    expect(found).toEqual({
      thread: 'thread 2',
      crossing: { value: { mode: 'strip', value: undefined }, kept: { id: 2, key: 'value' } },
    })
    expect(here.complete({ mode: 'strip', value: undefined }, { id: 2, key: 'value' })).toEqual({
      input: { mode: 'strip', value },
    })
    expect(here.complete(undefined, { id: 1, key: undefined })).toBeUndefined()
    elsewhere.forget({ value })
    expect(elsewhere.in(value)).toBeUndefined()
  })

  test('let go of a value within seconds after its last use, and of the oldest of three', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const here = new KeptHere()
    const has = (id: number): boolean => here.complete({}, { id, key: undefined }) !== undefined
    for (const id of [1, 2, 3]) here.keep(id, { value: { id } }, undefined)
    expect([has(1), has(2)]).toEqual([false, true])
    vi.advanceTimersByTime(1500)
    expect(has(2)).toBe(true)
    vi.advanceTimersByTime(1500)
    expect([has(2), has(3)]).toEqual([true, false])
    vi.advanceTimersByTime(5000)
    here.keep(4, { value: {} }, undefined)
    expect(has(2)).toBe(false)
    vi.advanceTimersByTime(5000)
    expect(has(4)).toBe(false)
  })

  test('keep no messages but results of tool calls', () => {
    const elsewhere = new KeptElsewhere<string>()
    const list = { result: { tools: [] } }
    elsewhere.note([new Uint8Array(1)], list, 'thread', 1)
    expect(elsewhere.in(list.result)).toBeUndefined()
  })
})

test('a kept value is found in any of a job’s first members, not only in the first ones', () => {
  const elsewhere = new KeptElsewhere<string>()
  const value = { words: 'kept' }
  elsewhere.note({ value }, undefined, 'thread', 7)
  const input = { mode: {}, at: 1, how: 'x', value, rest: [] }
  expect(elsewhere.in(input)).toEqual({
    thread: 'thread',
    crossing: { value: { ...input, value: undefined }, kept: { id: 7, key: 'value' } },
  })
})
