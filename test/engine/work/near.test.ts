import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { isNear, largestNear, type NearJob } from '../../../electron/engine/work/near.ts'

test.each<NearJob>(['scan', 'measure-texts', 'pack-result', 'reveal'])(
  '%s is done here up to one size, of texts and of values alike',
  (job) => {
    const largest = largestNear(job)
    expect(isNear(job, largest)).toBe(true)
    expect(isNear(job, largest + 1)).toBe(false)
    expect(isNear(job, { content: [{ type: 'text', text: 'x'.repeat(largest - 200) }] })).toBe(true)
    expect(isNear(job, { content: [{ type: 'text', text: 'x'.repeat(largest) }] })).toBe(false)
    // Many values without text.
    expect(isNear(job, { rows: Array.from({ length: largest / 8 }, (_, at) => at) })).toBe(false)
  },
)

test('nothing else in the engine says from which size on a worker thread does a job', () => {
  const engine = resolve(import.meta.dirname, '../../../electron/engine')
  const rules = readdirSync(engine, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith(join('work', 'near.ts')))
    .filter((file) => /[A-Z]+_INLINE\b/.test(readFileSync(join(engine, file), 'utf8')))
  expect(rules).toEqual([])
})
