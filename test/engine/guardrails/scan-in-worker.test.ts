import { describe, expect, it } from 'vitest'
import { textsOf, type JoinedTexts } from '../../../electron/engine/text/joined-texts.ts'
import type { Finding } from '../../../electron/engine/guardrails/detector.ts'
import { judge } from '../../../electron/engine/guardrails/judge.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { scanInWorker } from '../../../electron/engine/guardrails/scan-in-worker.ts'
import { WorkerPool } from '../../../electron/engine/work/worker-pool.ts'
import { ATTACK } from '../../helpers/guard.ts'

type Run = WorkerPool['run']

/** Workers whose first jobs fail; the others return what `find` returns. */
function failing(times: number, find: (text: string, index: number) => readonly Finding[] = () => []) {
  const jobs: { texts: readonly string[]; options: unknown }[] = []
  const run = (async (_name: string, joined: JoinedTexts, options: unknown) => {
    const texts = [...textsOf(joined)]
    jobs.push({ texts, options })
    if (jobs.length <= times) throw new Error('it used more than 5000 ms of processor time')
    return texts.flatMap((text, index) => find(text, index).map((finding) => [index, finding]))
  }) as unknown as Run
  return { run, jobs }
}

const line = 'An ordinary line about the weather of the day, which was fine.\n'

describe('a scan in worker threads', () => {
  it('is limited by processor time, and tried once more', async () => {
    const { run, jobs } = failing(1)
    expect(await scanInWorker({ run }, [{ path: '', text: line }])).toEqual([])
    expect(jobs).toHaveLength(2)
    expect(jobs[1]).toEqual(jobs[0])
    expect(jobs[0]?.options).toMatchObject({ processorMs: 5_000, beside: true })
  })

  it('that fails twice says that nobody looked, which is no attack', async () => {
    const { run, jobs } = failing(9)
    const text = line.repeat(20_000)
    const found = await scanInWorker({ run }, [{ path: '', text }])
    expect(found).toMatchObject([
      { kind: 'detector-failed', reason: expect.stringMatching(/processor time/) as string },
    ])
    expect(judge(found)).toMatchObject({ verdict: 'unscanned', score: 0 })
    expect(jobs).toHaveLength(2)
  })

  it('takes long texts in pieces that overlap and small ones together, and leaves nothing out', async () => {
    const { run, jobs } = failing(0)
    const long = Array.from({ length: 20_000 }, (_, n) => `${n}: ${line}`).join('')
    const unbroken = 'x'.repeat(600_000)
    const small = Array.from({ length: 3_000 }, (_, n) => ({ path: `/${n}`, text: `small ${n} ${line}` }))
    await scanInWorker({ run }, [{ path: '/long', text: long }, ...small, { path: '/x', text: unbroken }])
    const seen = jobs.flatMap(({ texts }) => texts)
    // Part of a large text is a large job, so small results have a thread without it.
    for (const { options } of jobs)
      expect((options as { size: number }).size).toBeGreaterThan(long.length + unbroken.length)
    for (const { texts } of jobs)
      expect(texts.reduce((sum, text) => sum + text.length, 0)).toBeLessThanOrEqual(250_000)
    expect(seen.filter((text) => text.startsWith('small'))).toEqual(small.map(({ text }) => text))
    const pieces = seen.filter((text) => /^\d/.test(text))
    let at = 0
    for (const [index, piece] of pieces.entries()) {
      const from = long.indexOf(piece.slice(0, 200))
      if (index > 0) expect([at - from >= 1_000, piece]).toEqual([true, expect.stringMatching(/^\d+: /)])
      at = from + piece.length
    }
    expect(at).toBe(long.length)
    const marked = seen.filter((text) => text.startsWith('x')).map(({ length }) => length)
    expect(marked.reduce((sum, length) => sum + length - 4_000, 4_000)).toBe(unbroken.length)
  })

  it('says of each finding in which text it is, however many and short they are', async () => {
    const { run, jobs } = failing(0, (text) =>
      text.includes('bad')
        ? [{ detector: 'd', kind: 'override', score: 1, start: 0, end: 3, reason: text }]
        : [],
    )
    const texts = Array.from({ length: 60_000 }, (_, n) => ({
      path: `/content/${n}/text`,
      text: n % 7_000 === 3 ? `bad ${n}` : '',
    }))
    const found = await scanInWorker({ run }, texts)
    expect(found.map(({ path, reason }) => [path, reason])).toEqual(
      [3, 7_003, 14_003, 21_003, 28_003, 35_003, 42_003, 49_003, 56_003].map((n) => [
        `/content/${n}/text`,
        `bad ${n}`,
      ]),
    )
    // Each with the fixed cost of a text.
    for (const job of jobs) expect(job.texts.length).toBeLessThan(20_000)
  })

  it('gives the same verdict whatever the size of what stands around, with the place in the whole text', async () => {
    const workers = new WorkerPool({ logger: silentLogger })
    try {
      const verdicts = []
      for (const before of [0, 3_900, 15_000]) {
        const text = `${line.repeat(before)}${ATTACK}\n${line.repeat(before)}`
        const found = await scanInWorker(workers, [{ path: '', text }])
        const { verdict, score } = judge(found)
        const override = found.find(({ kind }) => kind === 'override')
        expect(text.slice(override?.start, override?.end)).toMatch(/^ignore all previous/i)
        verdicts.push([verdict, score > 0.8])
      }
      expect(verdicts).toEqual(verdicts.map(() => ['attack', true]))
    } finally {
      await workers.close()
    }
  })
})
