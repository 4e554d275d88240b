import { afterEach, describe, expect, test } from 'vitest'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { readResult } from '../../../electron/engine/guardrails/result-texts.ts'
import { scanInWorker } from '../../../electron/engine/guardrails/scan-in-worker.ts'
import { scanResultInWorker, type ScanResultInput } from '../../../electron/engine/guardrails/scan-result.ts'
import { judge } from '../../../electron/engine/guardrails/judge.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { WorkerPool } from '../../../electron/engine/work/worker-pool.ts'
import { ATTACK } from '../../helpers/guard.ts'

type Run = WorkerPool['run']

const pools: WorkerPool[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

const line = 'An ordinary line about the weather of the day, which was fine.\n'
const block = (text: string): JsonObject => ({ type: 'text', text })

describe('a result that is read and scanned in a worker thread', () => {
  test('comes to the same findings, with their places, as one that is read here', async () => {
    const pool = new WorkerPool({ logger: silentLogger, size: 2 })
    pools.push(pool)
    const long = `${line.repeat(6_000)}${ATTACK}\n${line.repeat(6_000)}`
    const values: JsonObject[] = [
      { content: [...Array.from({ length: 3_000 }, (_, at) => block(`part ${at}`)), block(ATTACK)] },
      { content: [block(long), block(line)], structuredContent: { rows: [{ note: ATTACK }] } },
      {
        content: [{ type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', blob: '%%%' } }],
      },
      { content: [block(line.repeat(300))] },
    ]
    for (const value of values) {
      const { texts, unreadable } = readResult(value)
      expect(await scanResultInWorker(pool, value, 64_000_000)).toEqual({
        findings: await scanInWorker(pool, texts),
        unreadable,
        isTooLarge: false,
      })
    }
  })

  test('is not scanned above the limit', async () => {
    const pool = new WorkerPool({ logger: silentLogger, size: 1 })
    pools.push(pool)
    const value = { content: [block(ATTACK.repeat(200))] }
    const scanned = await scanResultInWorker(pool, value, 1_000)
    expect(scanned).toMatchObject({ isTooLarge: true, findings: [] })
  })

  test('is scanned in parts, each limited by processor time and tried once more', async () => {
    const asked: (ScanResultInput & { options: unknown })[] = []
    const run = (async (_: string, input: ScanResultInput, options: unknown) => {
      asked.push({ ...input, options })
      if (asked.length === 2) throw new Error('it used more than 5000 ms of processor time')
      const next = input.from < 8 ? input.from + 4 : undefined
      return { findings: [], unreadable: ['a.txt'], isTooLarge: false, next }
    }) as unknown as Run
    const found = await scanResultInWorker({ run }, {}, 10)
    expect(found).toEqual({ findings: [], unreadable: ['a.txt'], isTooLarge: false })
    expect(asked.map(({ from }) => from)).toEqual([0, 4, 4, 8])
    for (const { options } of asked)
      expect(options).toEqual({ processorMs: 5_000, keeps: true, beside: true })
  })

  test('that fails twice is unscanned, which is no attack, whatever the parts before said of it', async () => {
    let jobs = 0
    const run = (async () => {
      if (++jobs > 1) throw new Error('it stood still')
      return { findings: [], unreadable: [], isTooLarge: false, next: 4 }
    }) as unknown as Run
    const { findings } = await scanResultInWorker({ run }, {}, 10)
    expect(judge(findings)).toMatchObject({ verdict: 'unscanned', score: 0 })
    expect(jobs).toBe(3)
  })
})
