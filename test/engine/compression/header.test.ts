import { describe, expect, test } from 'vitest'
import { withHeader } from '../../../electron/engine/compression/header.ts'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'

const facts = { tokensBefore: 14246, strategy: 'json', resultId: undefined, omitted: '4,812 of 4,830 rows' }

describe('the header line', () => {
  test('names the way back when the original is kept', () => {
    expect(withHeader({ ...facts, resultId: 'r_7f3a9c' }, 'x').text).toMatch(
      /^\[Compressed: 14246→\d+ tokens, strategy: json, id: r_7f3a9c\] Omitted: 4,812 of 4,830 rows\. proxy_search, proxy_filter, proxy_read or proxy_run with this id returns any part\.\n\nx$/,
    )
  })

  test('says which budget made it shorter', () => {
    const { text } = withHeader({ ...facts, resultId: 'r_7f3a9c', budgetStep: 'team from 70 %' }, 'x')
    expect(text).toContain('strategy: json, budget: team from 70 %, id: r_7f3a9c]')
  })

  test('is short when it is not', () => {
    const { text } = withHeader(facts, 'x')
    expect(text).toMatch(
      /^\[Compressed: 14246→\d+ tokens, strategy: json\] Omitted: 4,812 of 4,830 rows\.\n\nx$/,
    )
    expect(countTokens(text)).toBeLessThan(40)
  })

  test.each([
    'x',
    ' begins with a blank',
    '/begins/with/slashes',
    '\n\nbegins with lines',
    '{"a":1}',
    'word '.repeat(998),
    'word '.repeat(40_000),
  ])('counts itself: the number it gives is that of the whole text (%#)', (body) => {
    const { text, tokens } = withHeader(facts, body)
    expect(tokens).toBe(countTokens(text))
    expect(text).toContain(`→${tokens} tokens`)
  })

  test('stays one line whatever the words on what is omitted', () => {
    expect(withHeader({ ...facts, omitted: 'two\nlines.' }, 'x').text.split('\n')[0]).toMatch(/two lines\.$/)
  })
})

test('for an app that reads files, the file at the end is the only way back', () => {
  const reading = { readers: ['file'], command: 'sluice read' } as const
  const { text } = withHeader({ ...facts, resultId: 'r_7f3a9c', reading, file: '/data/r_7f3a9c.txt' }, 'x')
  expect(text).toMatch(/ Omitted: 4,812 of 4,830 rows\. File: \/data\/r_7f3a9c\.txt\n\nx$/)
})
