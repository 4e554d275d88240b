import { describe, expect, it } from 'vitest'
import { checkAnswer } from '../../../electron/engine/summaries/check-answer.ts'
import { factsOf, missingFacts } from '../../../electron/engine/summaries/facts.ts'

const SOURCE = `2026-03-01T12:14:07Z worker-3 ERROR disk /dev/sdb1 is full (0 bytes left)
2026-03-01T12:15:00Z worker-1 INFO stored batch 4102 in 1,234.50 ms, see https://wiki.example.org/disk?id=7
{"order_id": 4711, "note": "he said \\"never again\\"", "path": "C:\\\\data\\\\new", "getUserName": 46.0}
Ask ops@example.org about release v2.10.3 and address 10.0.0.7. It lost -10000 points in Twenty years.`

const missing = (line: string): string[] => missingFacts(factsOf(line), [SOURCE]).map(({ text }) => text)

describe('what can be looked up', () => {
  it.each([
    'The disk /dev/sdb1 of worker-3 was full at 12:14:07.',
    '1. Batch 4102 took 1234.5 ms.',
    'It took 1,234.5ms (see https://wiki.example.org/disk?id=7).',
    'Order #4711 says "never again".',
    'The value is 46, of getusername.',
    '- Ask ops@example.org about v2.10.3 at 10.0.0.7, and/or read/write it, e.g. today.',
    'On 2026-03-01 two things happened, and thousands more.',
    'Order four thousand seven hundred eleven is in batch four thousand one hundred and two, with forty-six of them.',
    'It went down by -10,000, 3-7 times: twenty years ago.',
  ])('stands in the source: %s', (line) => {
    expect(missing(line)).toEqual([])
  })

  it.each([
    ['Batch 4103 was stored.', '4103'],
    ['It is 123 of them.', '123'],
    ['worker-9 failed.', 'worker-9'],
    ['See https://wiki.example.org/disk?id=8 now.', 'https://wiki.example.org/disk?id=8'],
    ['It is in /dev/sdc1 now.', '/dev/sdc1'],
    ['He said "always again" to her.', 'always again'],
    ['Call getUserMail for it.', 'getUserMail'],
    ['Its name is order_key.', 'order_key'],
    ['It is release v2.10.4.', 'v2.10.4'],
    ['The address is 10.0.0.8.', '10.0.0.8'],
    ['It was on 2026-03-02.', '2026-03-02'],
    ['Ask dev@example.org for it.', 'dev@example.org'],
    ['It is `rm everything` that helps.', 'rm everything'],
    ['Twelve million dollars were lost.', 'Twelve million'],
    ['There were about ninety-nine errors.', 'ninety-nine'],
    ['It took two hundred and six seconds.', 'two hundred and six'],
    ['It fell to -46 (or so).', '-46'],
    ['It took 14% of the time.', '14%'],
  ])('does not: %s', (line, fact) => {
    expect(missing(line)).toEqual([fact])
  })
})

describe('an answer', () => {
  const check = (answer: string, more: { asJson?: boolean; goal?: string } = {}) =>
    checkAnswer({ answer, source: SOURCE, read: [SOURCE, more.goal ?? ''], asJson: more.asJson ?? false })

  it('loses the sentences whose numbers, names or paths the source does not hold', () => {
    const answer =
      'The disk /dev/sdb1 is full. It failed 17 times. Batch 4102 was stored.\n- worker-3 had the error.'
    expect(check(answer)).toEqual({
      text: 'The disk /dev/sdb1 is full. Batch 4102 was stored.\n- worker-3 had the error.',
      removed: 1,
    })
    // "Dr." does not end a sentence.
    expect(check('The disk /dev/sdb1 is full. Batch 4102 was stored. Contact Dr. Who at 10.9.9.9.')).toEqual({
      text: 'The disk /dev/sdb1 is full. Batch 4102 was stored.',
      removed: 1,
    })
  })

  it('is not trusted at all when more than half of it is invented', () => {
    expect(check('It failed 17 times. The disk is full. worker-8 is broken since 2025.')).toEqual({
      fault: 'names what the source does not hold (2 of 3 sentences)',
    })
    expect(check('Revenue rose by 31% to 812 million.')).toHaveProperty('fault')
  })

  it('may name what the goal named', () => {
    expect(check('No order 999 is there; the disk error is near.', { goal: 'order 999' })).toHaveProperty(
      'text',
    )
  })

  it('is no nonsense, and no circle', () => {
    expect(check('Bananas grow upwards because sunshine pulls them gently skywards.')).toEqual({
      fault: 'has little to do with the source',
    })
    expect(check('the disk is full and '.repeat(30))).toEqual({ fault: 'repeats itself' })
    expect(
      checkAnswer({
        answer: '磁盘已满',
        source: '错误：磁盘已满，请清理',
        read: ['错误：磁盘已满，请清理'],
        asJson: false,
      }),
    ).toHaveProperty('text')
  })

  it('in place of JSON has to be JSON, of the source alone', () => {
    expect(check('{"order_id": 4711}', { asJson: true })).toEqual({ text: '{"order_id": 4711}', removed: 0 })
    expect(check('The order_id is 4711.', { asJson: true })).toHaveProperty('fault')
    expect(check('{"order_id": 4712}', { asJson: true })).toHaveProperty('fault')
    expect(check('{"orderNumber": 4711}', { asJson: true })).toHaveProperty('fault')
  })
})
