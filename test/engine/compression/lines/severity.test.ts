import { describe, expect, test } from 'vitest'
import { leadingLevel, severityOf } from '../../../../electron/engine/compression/lines/severity.ts'
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

test('a count belongs to the words behind it, or to those before it after a colon', () => {
  for (const failing of [
    '457910371 input errors, 0 CRC, 0 frame',
    '7 errors 0 warnings',
    'errors: 0, failed: 3',
    'ok=0 failed=3',
    '2 failed, 0 skipped',
  ])
    expect(severityOf(failing)).toBe(2)
  for (const calm of [
    '0 input errors, 7 CRC',
    '12 runs, 0 output errors',
    'errors 0',
    'failed=0 changed=3',
    '"errors": 0',
    'Tests: 0 failed, 12 passed',
  ])
    expect(severityOf(calm)).toBe(0)
})

test('a cross before a name is an error, a letter in a sentence none', () => {
  expect(severityOf('  x eslint(use-isnan): Checking equality with NaN')).toBe(2)
  expect(severityOf('× oxc(no-this): Wrong')).toBe(2)
  for (const calm of ['x 3 apples: 2', 'x', 'size 3 x 4: fits', 'x = y: z']) expect(severityOf(calm)).toBe(0)
})

test.each([
  ['e: file:///home/a/Pier.kt:8:2 Unresolved reference: tide', 2],
  ['w: /home/a/Pier.kt: (8, 2): Parameter is never used', 1],
  ['e: C:\\a\\Pier.kt: (8, 2): Expecting an element', 2],
  ['E: Unable to locate package tide', 2],
  ['W: tide: no-manual-page usr/bin/tide', 1],
  ['E/PierService( 812): no berth is free', 2],
  ['W/PierService: berth 3 is taken', 1],
  ['[E] no berth is free', 2],
  ['[W] berth 3 is taken', 1],
  ['F0314 10:31:07.250000 812 pier.cc:40] no berth', 3],
  ['E: East', undefined],
  ['e: 2.718', undefined],
  ['w: wide or narrow', undefined],
  ['[E]', undefined],
  ['E/W', undefined],
  ['E2024 is a standard', undefined],
])('%s is of level %s', (message, level) => {
  expect(leadingLevel(message)).toBe(level)
})
