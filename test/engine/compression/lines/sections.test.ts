import { expect, test } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

const compress = await loadCompressor()

const commit = (i: number): string => `commit ${(0xab31f + i * 7919).toString(16)}
Author: Mara Lind
Date: 2026-0${(i % 9) + 1}-11 07:2${i % 10}

    The ${['harbour', 'crane', 'ferry', 'pilot'][i % 4]} page shows row ${i * 13}

 src/page-${i}.ts | ${i + 2} +-
 ${i + 1} files changed, ${i * 3 + 2} insertions(+)`

test('sections that no blank line parts are below the line that names them', () => {
  const text = Array.from({ length: 90 }, (_, i) => commit(i)).join('\n')
  const lines = text.split('\n')
  const openers = lines.filter((line) => line.startsWith('commit '))
  for (const i of [3, 31, 88]) {
    const output = compress({ text, budget: 500, goal: `How many insertions has ${openers[i]}?` })
    let above = ''
    for (const line of output.text.split('\n')) {
      if (line === '…') above = ''
      if (line.startsWith('commit ')) above = line
      if (!/^ \d+ files changed/.test(line) || above === '') continue
      expect(lines.lastIndexOf(above, lines.indexOf(line)), line).toBe(
        lines.findLastIndex((one, at) => one.startsWith('commit ') && at < lines.indexOf(line)),
      )
    }
    expect(output.text).toContain(`${openers[i]}\n`)
    expect(output.text).toMatch(new RegExp(` ${i + 1} files changed, ${i * 3 + 2} insertions`))
  }
})
