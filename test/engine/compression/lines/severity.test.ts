import { describe, expect, test } from 'vitest'
import { severityOf } from '../../../../electron/engine/compression/lines/severity.ts'
import { SEVERITY_WORDS } from '../../../../electron/engine/compression/lines/severity-words.ts'

describe.each(SEVERITY_WORDS)('%s: %s', (severity, _, says, not) => {
  test(`"${says}" says so, "${not}" doesn't`, () => {
    expect(severityOf(says)).toBeGreaterThanOrEqual(severity)
    expect(severityOf(not)).toBeLessThan(severity)
  })
})

test('counts of nothing and calm levels are no failure', () => {
  for (const calm of ['0 errors, 0 warnings', 'errors: 0', 'no failures']) expect(severityOf(calm)).toBe(0)
  expect(severityOf('retry failed', 0)).toBeLessThan(severityOf('retry failed'))
  expect(severityOf('all is well', 2)).toBe(2)
  expect(severityOf('"GET / HTTP/1.1" 503 12')).toBeGreaterThan(severityOf('"GET / HTTP/1.1" 404 12'))
})

test('a cross before a name is an error, a letter in a sentence none', () => {
  expect(severityOf('  x eslint(use-isnan): Checking equality with NaN')).toBe(2)
  expect(severityOf('× oxc(no-this): Wrong')).toBe(2)
  for (const calm of ['x 3 apples: 2', 'x', 'size 3 x 4: fits', 'x = y: z']) expect(severityOf(calm)).toBe(0)
})
