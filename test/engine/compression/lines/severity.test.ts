import { describe, expect, test } from 'vitest'
import { severityOf } from '../../../../electron/engine/compression/lines/severity.ts'
import { SEVERITY_WORDS } from '../../../../electron/engine/compression/lines/severity-words.ts'

describe.each(SEVERITY_WORDS)('%s: %s', (severity, _, says, not) => {
  test(`"${says}" says so, "${not}" doesn't`, () => {
    expect(severityOf(says)).toBeGreaterThanOrEqual(severity)
    expect(severityOf(not)).toBeLessThan(severity)
  })
})

test('counts of nothing, paths and calm levels are no failure', () => {
  for (const calm of [
    '0 errors, 0 warnings',
    'errors: 0',
    'no failures',
    'src/errors/fail.ts',
    'error.log rotated',
  ])
    expect(severityOf(calm)).toBe(0)
  expect(severityOf('retry failed', 0)).toBeLessThan(severityOf('retry failed'))
  expect(severityOf('all is well', 2)).toBe(2)
  expect(severityOf('"GET / HTTP/1.1" 503 12')).toBeGreaterThan(severityOf('"GET / HTTP/1.1" 404 12'))
})
