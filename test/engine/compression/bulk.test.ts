import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { compressBulk } from '../../../electron/engine/compression/bulk.ts'
import { compressText } from '../../../electron/engine/compression/compress-text.ts'

async function run(chunks: readonly (string | Buffer)[]): Promise<Record<string, unknown>[]> {
  const output = new PassThrough({ highWaterMark: 64 })
  const read = text(output)
  let time = 0
  await compressBulk(Readable.from(chunks), output, { compress: compressText, now: () => (time += 5) })
  output.end()
  return (await read)
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
}

const request = (id: unknown, words: string, more = {}) =>
  JSON.stringify({ id, text: words, budget: 100, ...more })
const long = Array.from({ length: 300 }, (_, i) => `Sentence ${i} of a text that is far too long.`).join(' ')

describe('compressBulk', () => {
  test('answers every line with its id, the text and the numbers', async () => {
    const [first, second] = await run([
      `${request(1, 'short')}\n${request('b', long, { goal: 'sentence 77' })}\n`,
    ])
    expect(first).toEqual({ id: 1, text: 'short', tokensBefore: 1, tokensAfter: 1, strategy: 'none', ms: 5 })
    expect(second).toMatchObject({ id: 'b', strategy: 'prose', ms: 5 })
    expect(second?.['text']).toContain('Sentence 77 ')
    expect(second?.['tokensAfter']).toBeLessThanOrEqual(100)
  })

  test('takes lines in any pieces, and the last one without a line break', async () => {
    const bytes = Buffer.from(`${request(1, 'naïve 😀')}\n\n${request(2, 'a\u2028b')}`)
    const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) =>
      bytes.subarray(i * 7, i * 7 + 7),
    )
    expect((await run(chunks)).map((answer) => answer['text'])).toEqual(['naïve 😀', 'a\u2028b'])
  })

  test('a line that is no request is answered with an error, and the rest goes on', async () => {
    const answers = await run([
      'nonsense\n',
      '{"id":7,"budget":10}\n',
      '{"id":8,"text":"x"}\n',
      '5\n',
      request(9, 'fine'),
    ])
    expect(answers.map((answer) => answer['id'])).toEqual([null, 7, 8, null, 9])
    expect(answers.map((answer) => typeof answer['error'])).toEqual([
      'string',
      'string',
      'string',
      'string',
      'undefined',
    ])
  })
})
