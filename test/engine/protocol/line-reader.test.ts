import { describe, expect, it } from 'vitest'
import type { OversizedLine } from '../../../electron/engine/protocol/line-reader.ts'
import { LineReader } from '../../../electron/engine/protocol/line-reader.ts'
import { salvageId } from '../../../electron/engine/protocol/salvage-id.ts'

function collect(maxLineBytes = 1000) {
  const lines: string[] = []
  const oversized: OversizedLine[] = []
  const reader = new LineReader({
    maxLineBytes,
    onLine: (line) => lines.push(line.toString()),
    onOversized: (line) => oversized.push(line),
  })
  return { reader, lines, oversized }
}

describe('LineReader', () => {
  it('finds lines wherever the chunks are cut', () => {
    const text = 'eins\nzwei\r\n\nvier äöü\nfünf'
    const bytes = Buffer.from(text)
    for (let size = 1; size <= bytes.length; size++) {
      const { reader, lines } = collect()
      for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))
      expect(lines).toEqual(['eins', 'zwei', '', 'vier äöü'])
      reader.end()
      expect(lines.at(-1)).toBe('fünf')
    }
  })

  it('takes a line of exactly the limit and throws a longer one away, keeping both its ends', () => {
    const { reader, lines, oversized } = collect(10_000)
    reader.push(Buffer.from(`${'x'.repeat(10_000)}\n`))
    reader.push(Buffer.from(`head${'y'.repeat(5000)}`))
    reader.push(Buffer.from('y'.repeat(5000)))
    for (const letter of 'the tail\nnext\n') reader.push(Buffer.from(letter))
    expect(lines).toEqual(['x'.repeat(10_000), 'next'])
    expect(oversized).toHaveLength(1)
    expect(oversized[0]?.bytes).toBe(10_012)
    expect(oversized[0]?.head.toString()).toMatch(/^heady+$/)
    expect(oversized[0]?.tail.toString()).toMatch(/^y+the tail$/)
  })

  it('reads a 50 MB line from 64 KB chunks without copying it again and again', () => {
    const { reader, lines } = collect(100_000_000)
    const chunk = Buffer.alloc(65_536, 'a')
    for (let i = 0; i < 800; i++) reader.push(chunk)
    reader.push(Buffer.from('\n'))
    expect(lines[0]?.length).toBe(800 * 65_536)
  })
})

describe('salvageId', () => {
  const cases: [string, string | number | undefined][] = [
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"x":"…"}}', 7],
    ['{"jsonrpc":"2.0","method":"tools/call","id":"a\\"b","params":{}}', 'a"b'],
    ['{"method":"tools/call","params":{"id":1},"jsonrpc":"2.0","id":12}', 12],
    ['{"result":{"content":[]},"jsonrpc":"2.0","id":3}', 3],
    ['{"result":{"content":[]},"id":3,"jsonrpc":"2.0"}', 3],
    ['{"jsonrpc":"2.0","method":"x","params":{"id":9}}', undefined],
    ['{"jsonrpc":"2.0","method":"x","params":{"text":"\\"id\\":4"}}', undefined],
    ['[1,2,3]', undefined],
  ]
  it.each(cases)('%s', (line, id) => {
    expect(salvageId({ head: Buffer.from(line), tail: Buffer.from(line) })).toBe(id)
  })
})
