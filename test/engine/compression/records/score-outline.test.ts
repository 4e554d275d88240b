import { expect, test } from 'vitest'
import { readRecords } from '../../../../electron/engine/compression/records/read-records.ts'
import { scoreOutline } from '../../../../electron/engine/compression/records/score-outline.ts'
import { jsonStrategy } from '../../../../electron/engine/compression/strategies/json.ts'
import { findLeaves } from '../../../../electron/engine/text/tree/find-leaves.ts'
import { jsonReading } from '../../../../electron/engine/text/readers/json.ts'
import { parseJson } from '../../../../electron/engine/text/tree/parse-json.ts'
import { sourceOf } from '../../../../electron/engine/text/tree/json-document.ts'
import { readText } from '../../../../electron/engine/text/readers/registry.ts'

test('the last lines below the records of a report are worth more than its rows: totals', () => {
  const files = Array.from({ length: 30 }, (_, n) => {
    const rows = Array.from(
      { length: 4 },
      (_, i) => ` ${n + 90 * i}:${i + 1} R${i} ${'abcd'[i]} is imported but never used`,
    )
    return [`src/part${n}.py:`, ...rows, ''].join('\n')
  })
  const text = `${files.join('\n')}\nRead 120 lines in 30 files.\n12 of them can be repaired by this tool itself.\n`
  const reading = readText(text)
  if (reading === undefined) throw new Error('The sample has no records.')
  const leaves = findLeaves(reading.document)
  const read = readRecords(leaves)
  const scores = scoreOutline(read)
  const best = [...scores.keys()].toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).slice(0, 4)
  const said = best.map((item) => sourceOf(leaves.document, leaves.nodes[read.items.leafOf[item] ?? 0] ?? 0))
  expect(said).toEqual(expect.arrayContaining(['12 of them can be repaired by this tool itself.']))
})

test('what an object is called is worth more than its flags and ids', () => {
  const job = {
    id: 81_223,
    open: false,
    tries: 3,
    title: 'Repair the north lock',
    gate: { id: 17, wide: true, name: 'North lock' },
  }
  const document = parseJson(JSON.stringify({ job }))
  if (document === undefined) throw new Error('The sample is not JSON.')
  const reading = jsonReading(document)
  const leaves = findLeaves(reading.document)
  const read = readRecords(leaves)
  const scores = scoreOutline(read)
  const worthOf = (source: string): number =>
    [...scores.keys()].reduce((most, item) => {
      const own = sourceOf(leaves.document, leaves.nodes[read.items.leafOf[item] ?? 0] ?? 0)
      return own === source ? Math.max(most, scores[item] ?? 0) : most
    }, -Infinity)
  for (const less of ['81223', 'false', '3', '17', 'true'])
    for (const more of ['"Repair the north lock"', '"North lock"'])
      expect(worthOf(more)).toBeGreaterThan(worthOf(less))
})

test('short values beside lists of records come before more of the records', () => {
  const pods = Array.from({ length: 60 }, (_, i) =>
    i % 9 === 0
      ? { pod: `web-${i}`, status: 'error', message: `Pod ${i} failed: CrashLoopBackOff number ${i * 7}` }
      : { pod: `web-${i}`, status: 'ok', message: `Pod ${i} is as it should be` },
  )
  const text = JSON.stringify({ report: { pods, score: 67, grade: 'D', elapsed_time: 16.2 } })
  const shown = jsonStrategy.compress({ text, goal: undefined, budget: 150 })?.text
  for (const told of ['"score":67', '"grade":"D"', '"elapsed_time":16.2']) expect(shown).toContain(told)
})

test('elements of a list beside records are no such values', () => {
  const piers = Array.from({ length: 60 }, (_, i) => ({ pier: `pier-${i}`, depth: i * 3.25 }))
  const bounds = Array.from({ length: 6 }, (_, i) => 100.125 + i)
  const worthOf = (source: string): number => {
    const leaves = findLeaves(jsonReading(parseJson(JSON.stringify({ grade: 'D', bounds, piers }))!).document)
    const read = readRecords(leaves)
    const at = read.items.leafOf.findIndex(
      (leaf) => sourceOf(leaves.document, leaves.nodes[leaf]!) === source,
    )
    return scoreOutline(read)[at]!
  }
  expect(worthOf('"D"') - worthOf('102.125')).toBeGreaterThan(3)
})

test('comments beside records are', () => {
  const cases = Array.from({ length: 20 }, (_, i) => `  <case name="lift ${i}" time="0.${i}" group="north"/>`)
  const totals = ['cases 20', 'passed 19', 'failed 1', 'todo 0']
  const text = ['<cases>', ...cases, ...totals.map((total) => ` <!-- ${total} -->`), '</cases>'].join('\n')
  const leaves = findLeaves(readText(text)!.document)
  const read = readRecords(leaves)
  const scores = scoreOutline(read)
  const best = [...scores.keys()].toSorted((a, b) => scores[b]! - scores[a]!).slice(0, 5)
  const said = best.map((item) => sourceOf(leaves.document, leaves.nodes[read.items.leafOf[item]!]!))
  expect(said).toEqual(expect.arrayContaining(totals))
})

test('lines between the parts of a result are none', () => {
  const parts = Array.from({ length: 12 }, (_, i) =>
    [`Lift ${i}:`, JSON.stringify({ lift: i, floor: `floor ${i % 5}`, state: 'ok' }, null, 1)].join('\n'),
  )
  const reading = readText(parts.join('\n'))!
  expect(reading.format).toBe('json-parts')
  const leaves = findLeaves(reading.document)
  const read = readRecords(leaves)
  const scores = scoreOutline(read)
  const worthOf = (source: string): number =>
    scores[read.items.leafOf.findIndex((leaf) => sourceOf(leaves.document, leaves.nodes[leaf]!) === source)]!
  expect(worthOf('Lift 6:')).toBeLessThan(2)
})
