import { expect, test } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'
import { readText } from '../../../../electron/engine/text/readers/registry.ts'
import { valuesOf } from '../../../../electron/engine/text/readers/reading-values.ts'

const compress = await loadCompressor()

const queries = Array.from({ length: 60 }, (_, i) =>
  [
    `# Time: 2026-10-07T02:${String(i).padStart(2, '0')}:35.375153Z`,
    `# User@Host: shop[shop] @ web${i % 3} [10.0.3.11]  Id: ${8160 + i}`,
    `# Query_time: ${i % 7}.636003  Lock_time: 0.000754 Rows_sent: 186  Rows_examined: ${i === 41 ? 93_411_207 : 20_000 + i * 311}`,
    `SET timestamp=${1_759_802_495 + i};`,
    i === 41
      ? 'SELECT COUNT(*) FROM page_views;'
      : `DELETE FROM sessions WHERE seen < NOW() - INTERVAL ${i} DAY;`,
  ].join('\n'),
).join('\n')

test('entries that begin with a time behind the key of a comment are records with the numbers in their lines', () => {
  const reading = readText(queries)
  expect(reading?.format).toBe('entries')
  const records = valuesOf(reading!) as Record<string, unknown>[]
  expect(records).toHaveLength(60)
  expect(records[1]).toMatchObject({ time: '2026-10-07T02:01:35.375153Z', Id: 8161, Rows_examined: 20_311 })
  const shown = compress({ text: queries, goal: 'which query examined the most rows', budget: 300 }).text
  expect(shown).toMatch(
    /# Time: 2026-10-07T02:41:35.375153Z\n(?:.+\n)?# Query_time: .* Rows_examined: 93411207/,
  )
})

const threads = [
  'Full thread dump of a server:\n\n',
  ...Array.from({ length: 40 }, (_, i) =>
    [
      `"worker-${i}" #${i + 10} prio=5 cpu=${i === 23 ? 3562.95 : i}ms elapsed=4.47s nid=0x34${i} waiting on condition`,
      `   java.lang.Thread.State: ${i % 2 ? 'RUNNABLE' : 'WAITING (parking)'}`,
      `\tat depot.Route${i}.run(Route.java:${i})`,
      '',
      '   Locked ownable synchronizers:',
      `\t- <0x00000000f9fb${1000 + i}> (a java.util.concurrent.ThreadPoolExecutor$Worker)`,
      '\n',
    ].join('\n'),
  ),
].join('')

test('blocks of several paragraphs that begin with a quoted name are records below this line', () => {
  expect(readText(threads)?.format).toBe('entries')
  const most = compress({ text: threads, goal: 'which thread burns the most cpu', budget: 250 }).text
  expect(most).toContain('"worker-23" #33 prio=5 cpu=3562.95ms')
  const shown = compress({ text: threads, goal: 'who holds 0x00000000f9fb1017', budget: 250 }).text
  const block = shown.split('\n\n').find((part) => part.includes('0x00000000f9fb1017'))
  expect(block).toMatch(/^"worker-17" /m)
})

test('a script with comments is not read as entries', () => {
  const script = Array.from(
    { length: 12 },
    (_, i) => `# Step: copy part ${i}\ncp part-${i} /srv/part-${i}\necho done`,
  )
  expect(readText(script.join('\n'))?.format).not.toBe('entries')
})
