import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { messageOf } from '../../../electron/engine/ground/errors.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { parseLargeIn } from '../../../electron/engine/work/parse-large.ts'
import { stringifyExact } from '../../../electron/engine/protocol/exact-json.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { SMALL_JOB } from '../../../electron/engine/work/lanes.ts'
import { WorkerPool } from '../../../electron/engine/work/worker-pool.ts'
import { inTurnOf } from '../../../electron/engine/work/client-turns.ts'
import type { WorkerPoolOptions } from '../../../electron/engine/work/worker-pool.ts'
import type { UnrulyJobs } from '../../fixtures/workers/unruly.worker.ts'

const unrulyUrl = new URL('../../fixtures/workers/unruly.worker.ts', import.meta.url)
const pools: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

function unruly(options: Partial<WorkerPoolOptions> = {}) {
  const pool = new WorkerPool<UnrulyJobs>({
    logger: silentLogger,
    size: 1,
    workerUrl: unrulyUrl,
    ...options,
  })
  pools.push(pool)
  return pool
}

const workerFailed = (words: RegExp) => ({
  code: 'WORKER_FAILED',
  message: expect.stringMatching(words) as string,
})

describe('WorkerPool', () => {
  test('answers in a thread of its own and keeps it warm', async () => {
    const pool = unruly()
    const first = await pool.run('thread', 0)
    expect(first).toBeGreaterThan(0)
    expect(await pool.run('thread', 0)).toBe(first)
    expect(await pool.run('echo', { a: ['\ud800', new Uint8Array([1])] })).toEqual({
      a: ['\ud800', new Uint8Array([1])],
    })
  })

  test('a thread prepared beforehand takes the next small job, and is prepared once', async () => {
    const pool = unruly()
    for (let i = 0; i < 3; i++) pool.prepare('thread')
    const jobs = [pool.run('thread', 0), pool.run('thread', 0)]
    pool.prepare('thread')
    const [first, second] = await Promise.all(jobs)
    expect(second).toBe(first)
  })

  test('uses as many threads as it may, and queues the rest in order', async () => {
    const pool = unruly({ size: 2 })
    const [holding, release] = signal()
    const first = pool.run('hold', holding)
    const others = [pool.run('thread', 0), pool.run('thread', 0)]
    const [second, third] = await Promise.all(others)
    release()
    expect(second).not.toBe(await first)
    expect(third).toBe(second)
  })

  test.each([
    ['crash', null, /kaboom/],
    ['exit', 3, /code 3/],
    ['throw', 'no such thing', /no such thing/],
    ['uncloneable', null, /could not be cloned/],
  ] as const)('%s rejects that job alone, and the next one runs', async (name, input, words) => {
    const pool = unruly()
    const bad = pool.run(name as 'exit', input as number)
    const waiting = pool.run('echo', 'still here')
    await expect(bad).rejects.toMatchObject(workerFailed(words))
    expect(await waiting).toBe('still here')
  })

  test('a thread that never answers is ended at its time limit and replaced', async () => {
    const pool = unruly()
    await expect(pool.run('hang', null, { timeoutMs: 200 })).rejects.toMatchObject(
      workerFailed(/longer than 200 ms/),
    )
    expect(await pool.run('echo', 1)).toBe(1)
  })

  test('a limit of processor time ends a thread that computes on, and leaves alone one that was stopped meanwhile', async () => {
    const pool = unruly()
    await expect(pool.run('hang', null, { processorMs: 200 })).rejects.toMatchObject(
      workerFailed(/more than 200 ms of processor time/),
    )
    expect(await pool.run('spin', 50, { processorMs: 5_000 })).toBe('done')

    // A separate process, so that it can be stopped like a sleeping machine.
    const program = new URL('../../fixtures/workers/spin-and-end.ts', import.meta.url)
    const child = spawn(process.execPath, [fileURLToPath(program)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    expect((await lines.next()).value).toBe('started')
    child.kill('SIGSTOP')
    // Longer than the wall-clock limit.
    await wait(1_000)
    child.kill('SIGCONT')
    expect((await lines.next()).value).toBe('done')
  })

  test('an aborted job rejects with its reason at once; a waiting one never starts', async () => {
    const pool = unruly()
    const running = new AbortController()
    const waiting = new AbortController()
    const hang = pool.run('hang', null, { signal: running.signal })
    const echo = pool.run('echo', 1, { signal: waiting.signal })
    waiting.abort(new Error('changed my mind'))
    running.abort(new Error('gone'))
    await expect(echo).rejects.toThrow('changed my mind')
    await expect(hang).rejects.toThrow('gone')
    // The hanging thread is given up after its grace period.
    expect(await pool.run('echo', 2)).toBe(2)
    await expect(pool.run('echo', 1, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
      'before',
    )
  })

  test('an aborted job that ends by itself leaves its thread warm', async () => {
    const pool = unruly()
    const before = await pool.run('thread', 0)
    const controller = new AbortController()
    const slow = pool.run('thread', 50, { signal: controller.signal })
    controller.abort(new Error('gone'))
    await expect(slow).rejects.toThrow('gone')
    expect(await pool.run('thread', 0)).toBe(before)
  })

  test('jobs of one key go to the same thread while it is idle', async () => {
    const pool = unruly({ size: 2 })
    const [first, second] = await Promise.all([
      pool.run('thread', 20, { affinity: 'a' }),
      pool.run('thread', 20, { affinity: 'b' }),
    ])
    expect(await pool.run('thread', 0, { affinity: 'b' })).toBe(second)
    expect(await pool.run('thread', 0, { affinity: 'a' })).toBe(first)
    expect(await pool.run('thread', 0, { affinity: 'b' })).toBe(second)
  })

  test('a thread without a job is ended, and the next job gets a new one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const pool = unruly({ idleMs: 50 })
    const first = await pool.run('thread', 0)
    await vi.advanceTimersByTimeAsync(49)
    expect(await pool.run('thread', 0)).toBe(first)
    await vi.advanceTimersByTimeAsync(50)
    expect(await pool.run('thread', 0)).not.toBe(first)
    const long = pool.run('thread', 20)
    await vi.advanceTimersByTimeAsync(200)
    expect(await long).toBeGreaterThan(0)
  })

  test('an idle pool does not keep its process alive, and what a thread prints stays off stdout', async () => {
    const program = new URL('../../fixtures/workers/print-and-end.ts', import.meta.url)
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(program)], {
      timeout: 100_000,
    })
    expect(stdout).toBe('done\n')
  })

  test('input that cannot be sent is that job’s failure', async () => {
    const pool = unruly()
    await expect(pool.run('echo', () => {})).rejects.toMatchObject(workerFailed(/could not be cloned/))
    expect(await pool.run('echo', 1)).toBe(1)
  })

  test('closing rejects what runs and waits, and everything after', async () => {
    const pool = unruly()
    const results = [pool.run('hang', null), pool.run('echo', 1)]
    const settled = Promise.allSettled(results)
    await pool.close()
    await pool.close()
    for (const result of await settled) {
      expect(result).toMatchObject({ status: 'rejected', reason: workerFailed(/stopping/) })
    }
    await expect(pool.run('echo', 1)).rejects.toMatchObject(workerFailed(/stopping/))
  })
})

function signal(): [memory: Int32Array, give: () => void] {
  const memory = new Int32Array(new SharedArrayBuffer(4))
  const give = (): void => {
    Atomics.store(memory, 0, 1)
    Atomics.notify(memory, 0)
  }
  return [memory, give]
}

describe('who waits for whom', () => {
  test('a small job is answered while large ones, and parts of large ones, hold every other thread', async () => {
    const pool = unruly({ size: 3 })
    const [holding, release] = signal()
    const large = Array.from({ length: 6 }, () => [
      pool.run('hold', holding, { size: 50_000_000 }),
      // Part of a medium-sized job.
      pool.run('hold', holding, { size: 1_000_000 }),
    ]).flat()
    const small = await Promise.all(Array.from({ length: 20 }, () => pool.run('thread', 0)))
    release()
    expect(await Promise.all(large)).not.toContain(small[0])
    expect(new Set(small).size).toBe(1)
  })

  test('while its thread is busy a small job goes to another one only when that has loaded what it needs', async () => {
    const pool = unruly({ size: 2 })
    const [holding, release] = signal()
    // The thread for large jobs is idle and has never run `echo`.
    const large = await pool.run('thread', 0, { size: 50_000_000 })
    const held = pool.run('hold', holding)
    const small = await pool.run('thread', 0)
    expect(small).toBe(large)
    expect(await pool.run('echo', 'prepared meanwhile')).toBe('prepared meanwhile')
    release()
    expect(await held).not.toBe(large)
  })

  test('a small job waits for no large one, however many there are and whatever they are made of', async () => {
    const pool = unruly({ size: 3 })
    const large = [
      'x'.repeat(3_000_000),
      [new Uint8Array(9_000_000)],
      Array.from({ length: 300_000 }, (_, a) => ({ a })),
    ]
    const hanging = [...large, ...large].map((input) => pool.run('hang', input).catch(messageOf))
    expect(await pool.run('echo', 'x'.repeat(12_000))).toHaveLength(12_000)
    expect(await pool.run('echo', 'x'.repeat(SMALL_JOB + 1))).toHaveLength(SMALL_JOB + 1)
    await pool.close()
    expect((await Promise.all(hanging)).every((why) => why.includes('stopping'))).toBe(true)
  })

  test('what an input does not show is told by its size', async () => {
    const pool = unruly({ size: 2 })
    const hanging = [1, 2].map(() => pool.run('hang', 'a file', { size: 50_000_000 }).catch(messageOf))
    expect(await pool.run('echo', 'small')).toBe('small')
    await pool.close()
    await Promise.all(hanging)
  })

  test('by default there are threads for small and medium jobs, on a machine of one core too', async () => {
    const pool = new WorkerPool<UnrulyJobs>({ logger: silentLogger, workerUrl: unrulyUrl })
    pools.push(pool)
    const large = Array.from({ length: 6 }, () => pool.run('hang', 'x'.repeat(3_000_000)).catch(messageOf))
    expect(await pool.run('echo', 'x'.repeat(900_000))).toHaveLength(900_000)
    expect(await pool.run('echo', 'small')).toBe('small')
    await pool.close()
    await Promise.all(large)
  })

  test('what runs apart holds up nothing else, not even where there is one thread', async () => {
    const pool = unruly()
    const hanging = [1, 2, 3].map(() => pool.run('hang', 'a script', { apart: true }).catch(messageOf))
    expect(await pool.run('echo', 'x'.repeat(900_000))).toHaveLength(900_000)
    await pool.close()
    await Promise.all(hanging)
  })

  test('owners take turns, and each has its jobs done in their order', async () => {
    const pool = unruly()
    const done: string[] = []
    const note = (turn: string, name: string) => pool.run('echo', name, { turn }).then(() => done.push(name))
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => note('a', name)),
      ...['b1', 'b2'].map((name) => inTurnOf('b', () => pool.run('echo', name)).then(() => done.push(name))),
      note('c', 'c1'),
    ])
    expect(done).toEqual(['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'a4'])
  })

  test('an owner has only so many waiting', async () => {
    const pool = unruly()
    const run = (turn: string) => pool.run('thread', 20, { turn, apart: true, mostWaiting: 2 })
    const own = [run('a'), run('a'), run('a')]
    await expect(run('a')).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
    expect(await run('b')).toBe(await own[0])
    await Promise.all(own)
    expect(await run('a')).toBeGreaterThan(0)
  })

  test('a signal of thousands of jobs has one listener, and none when they are done', async () => {
    const pool = unruly()
    const { signal } = new AbortController()
    const jobs = Array.from({ length: 3000 }, (_, i) => pool.run('echo', i, { signal }))
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    expect(await Promise.all(jobs)).toEqual(Array.from({ length: 3000 }, (_, i) => i))
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  test('a signal that is aborted ends every job that has it, and no other', async () => {
    const pool = unruly()
    const controller = new AbortController()
    const { signal } = controller
    const jobs = Array.from({ length: 100 }, (_, i) => pool.run('thread', i, { signal }))
    const other = pool.run('echo', 'other')
    const ended = Promise.allSettled(jobs)
    controller.abort(new Error('gone'))
    for (const { status } of await ended) expect(status).toBe('rejected')
    expect(await other).toBe('other')
  })
})

describe('the engine worker', () => {
  test('parses, counts and packs', async () => {
    const pool = new WorkerPool({ logger: silentLogger, size: 1 })
    pools.push(pool)
    const pieces = ['{"a":[1', ',"é"]', '}'].map((text) => new TextEncoder().encode(text))
    expect(await pool.run('parse', pieces)).toEqual({ a: [1, 'é'] })
    await expect(pool.run('parse', pieces.slice(0, 1))).rejects.toMatchObject(workerFailed(/JSON/))
    expect(await pool.run('count-tokens', 'hello world')).toBe(2)
    const packed = await pool.run('pack-result', { content: [] })
    expect(packed).toMatchObject({ size: 14, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test.each([
    ['Latin-1', 'log line no. 7 of café\n'],
    ['UTF-16, and parted surrogates', '日本語 \u{1f600} \ud800\n'],
  ])('long texts arrive as they were, both ways: %s', async (_, line) => {
    const pool = new WorkerPool({ logger: silentLogger, size: 1 })
    pools.push(pool)
    const text = `${line.repeat(1_100_000 / line.length)}${line}`
    const result = { content: [{ type: 'text', text, more: { depth: text } }], n: 1 }
    const bytes = new TextEncoder().encode(JSON.stringify(result))
    const pieces = [bytes.slice(0, 700_001), bytes.slice(700_001)]
    const back = await pool.run('parse', pieces)
    expect(JSON.stringify(back)).toBe(JSON.stringify(result))
    expect(result.content[0]?.text).toBe(text)
    const { sha256, size } = await pool.run('pack-result', result)
    const json = JSON.stringify(result)
    expect(size).toBe(Buffer.byteLength(json))
    expect(sha256).toBe(createHash('sha256').update(json).digest('hex'))
    expect(await pool.run('reveal', { value: result, mode: 'strip' })).toBeUndefined()
    const dirty = { ...result, content: [{ type: 'text', text: `${text}\u001b[2J` }] }
    const revealed = await pool.run('reveal', { value: dirty, mode: 'strip' })
    expect(revealed).toEqual({
      value: { content: [{ type: 'text', text }], n: 1 },
      taken: { terminal: 1 },
    })
  })

  test('values of very many parts cross both ways with the spelling of their numbers', async () => {
    const pool = new WorkerPool({ logger: silentLogger, size: 1 })
    pools.push(pool)
    const rows = Array.from({ length: 30_000 }, (_, at) => `{"id":90071992547${100_000 + at},"n":${at}.0}`)
    const json = `{"rows":[${rows.join(',')}]}`
    const result = (await parseLargeIn(pool)([new TextEncoder().encode(json)])) as JsonObject
    const { size, sha256 } = await pool.run('pack-result', result)
    const written = stringifyExact(result)
    expect(written).toContain('{"id":90071992547100005,"n":5.0}')
    expect(written).toContain('{"id":90071992547129999,')
    expect({ size, sha256 }).toEqual({
      size: written.length,
      sha256: createHash('sha256').update(written).digest('hex'),
    })
  })

  test('what is nested too deeply says so, and names no word of the inside', async () => {
    const pool = new WorkerPool({ logger: silentLogger, size: 1 })
    pools.push(pool)
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    await expect(parseLargeIn(pool)([new TextEncoder().encode(deep)])).rejects.toMatchObject({
      message: expect.stringMatching(
        /answer of 400000 bytes could not be read: .*nested too deeply.*Ask for less/,
      ) as string,
    })
    let value: Record<string, unknown> = {}
    for (let level = 0; level < 50_000; level++) value = { value }
    await expect(pool.run('pack-result', value)).rejects.toMatchObject({
      message: expect.not.stringContaining('call stack') as string,
    })
    expect(await pool.run('count-tokens', 'still here')).toBe(2)
  })

  test('compresses with the same code as the main thread would', async () => {
    const pool = new WorkerPool({ logger: silentLogger, size: 1 })
    pools.push(pool)
    const text = 'A sentence about water and stones. '.repeat(500)
    const output = await pool.run('compress', { text, budget: 200 })
    expect(output.tokensAfter).toBeLessThanOrEqual(200)
  })
})
