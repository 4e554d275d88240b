import { expect, test } from 'vitest'
import { readLogLines } from '../../../../electron/engine/compression/lines/log-lines.ts'
import { readJsonLines } from '../../../../electron/engine/compression/lines/trim-json-line.ts'
import { jsonLinesLog } from '../../../fixtures/compression/make-logs.ts'

test('members that never change and the time go, the rest stays as written', () => {
  const json = readJsonLines(readLogLines(jsonLinesLog(100)))
  expect(json?.constants).toEqual(['"level":30', '"pid":7', '"hostname":"checkout-66cb4b6c4b-77chl"'])
  expect(
    json?.trim(
      '{"level":30,"time":1730000000000,"pid":7,"hostname":"checkout-66cb4b6c4b-77chl","big":12345678901234567890,"msg":"a"}',
    ),
  ).toBe('{"big":12345678901234567890,"msg":"a"}')
  expect(json?.trim('{"level":50,"time":1730000000000,"pid":7,"msg":"b"}')).toBe('{"level":50,"msg":"b"}')
})

test('a number that only begins like the usual one stays', () => {
  const json = readJsonLines(readLogLines(jsonLinesLog(100)))
  expect(json?.trim('{"pid":77,"msg":"c"}')).toBe('{"pid":77,"msg":"c"}')
})

test('other logs have no members', () => {
  expect(readJsonLines(readLogLines('2024-01-01 a\n'.repeat(30)))).toBeUndefined()
})
