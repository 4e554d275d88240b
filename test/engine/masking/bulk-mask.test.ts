import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { maskBulk, maskText } from '../../../electron/engine/masking/bulk-mask.ts'

async function run(input: string): Promise<Record<string, unknown>[]> {
  const output = new PassThrough({ highWaterMark: 16 })
  const read = text(output)
  let time = 0
  await maskBulk(Readable.from([input]), output, { types: ['email'], now: () => (time += 5) })
  output.end()
  return (await read)
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
}

test('every line is answered by its id, with spans in UTF-16 offsets; each text counts from 1', async () => {
  const answers = await run('{"id":"a","text":"😀 a@x.org"}\n\nnonsense\n{"id":2,"text":"b@x.org"}\n{"id":3}')
  expect(answers[0]).toEqual({
    id: 'a',
    text: '😀 [EMAIL_1]',
    spans: [{ type: 'email', start: 3, end: 10, value: 'a@x.org' }],
    ms: 5,
  })
  expect(answers.slice(1).map(({ id, text }) => [id, text])).toEqual([
    [null, undefined],
    [2, '[EMAIL_1]'],
    [3, undefined],
  ])
})

test('only the texts that are given are searched', async () => {
  let searches = 0
  const options = {
    get types() {
      searches++
      return ['email'] as const
    },
    now: () => 0,
  }
  await maskBulk(Readable.from(['{"id":1,"text":"a@x.org"}\n']), new PassThrough().resume(), options)
  expect(searches).toBe(1)
})

test('spans of a JSON text lie in its source, around what the escapes stand for', () => {
  const source = String.raw`{"to":"\n\"a@x.org\""}`
  const { text, spans } = maskText(source, { types: ['email'] })
  expect(text).toBe(String.raw`{"to":"\n\"[EMAIL_1]\""}`)
  expect(spans.map(({ start, end }) => source.slice(start, end))).toEqual(['a@x.org'])
})
