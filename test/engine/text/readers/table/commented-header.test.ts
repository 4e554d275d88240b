import { expect, it } from 'vitest'
import { loadCompressor } from '../../../../../electron/engine/compression/load-compressor.ts'
import { readText } from '../../../../../electron/engine/text/readers/registry.ts'
import { valuesOf } from '../../../../../electron/engine/text/readers/reading-values.ts'

const compress = await loadCompressor()
const berths = Array.from({ length: 40 }, (_, i) => `berth_${'long'.repeat(i % 4)}${i}`)
const pool = [
  'berthinfo - version: 2.1',
  '# name            <boats> <at pier> limits <most> <batch>',
  ...berths.map((name, i) => `${name.padEnd(18)} ${(i * 37) % 101} ${i % 7} limits ${900 + i} 0`),
]

it('a line behind a comment sign names the fields below it, whose values overflow', () => {
  const rows = valuesOf(readText(pool.join('\n'))!) as object[]
  expect(rows).toHaveLength(40)
  expect(rows[7]).toMatchObject({ name: 'berth_longlonglong7', '<boats>': '57', '<most>': '907' })
  const shown = compress({ text: pool.join('\n'), budget: 200, goal: 'Which berth has most boats?' }).text
  expect(shown).toMatch(/berth_long\w*30 +100 /)
})

it('the last field takes the rest', () => {
  const rows = Array.from(
    { length: 30 },
    (_, i) => ` ${1_700_000 + i}  ${i}  0.0${i % 9}  run${i === 9 ? ' -v all' : ''}`,
  )
  const text = ['Harbour 3 (north)', '', '#      Time  PID  %CPU  Command', ...rows].join('\n')
  const read = JSON.stringify(valuesOf(readText(text)!))
  expect(read).toContain('{"Time":"1700009","PID":"9","%CPU":"0.00","Command":"run -v all"}')
})

it('a heading above lines of as many words names nothing', () => {
  const text = ['# How boats moor', ...berths.map((name) => `${name} is full today`)].join('\n')
  const reading = readText(text)
  expect(JSON.stringify(reading === undefined ? '' : valuesOf(reading))).not.toContain('"How"')
})
