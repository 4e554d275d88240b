import { describe, expect, test } from 'vitest'
import { learnPrefixes } from '../../../../electron/engine/compression/lines/learn-prefix.ts'
import { FieldSplitter } from '../../../../electron/engine/compression/lines/split-fields.ts'
import { readTextLines } from '../../../../electron/engine/compression/lines/text-lines.ts'
import { logStrategy } from '../../../../electron/engine/compression/strategies/log.ts'

const NAMES = 'amber basin cedar delta ember fjord grove haven inlet jetty'.split(' ')
const two = (n: number): string => String(n).padStart(2, '0')
const logOf = (line: (name: string, clock: string, n: number) => string): string =>
  Array.from({ length: 80 }, (_, n) => line(`${NAMES[n % 10] ?? ''}-${n}`, `10:${two(n % 60)}:07`, n)).join(
    '\n',
  )

/** What is left of the first line as its message. */
function messageOf(text: string): string {
  const lines = readTextLines(text)
  const prefixes = learnPrefixes(lines)
  const splitter = new FieldSplitter(prefixes.isTabbed)
  const group = prefixes.groupOf(0, splitter)
  const columns = prefixes.groups[group] ?? []
  return text.slice(columns.length === 0 ? 0 : splitter.ends[columns.length - 1], lines.end(0)).trim()
}

describe('a time that a message tells is no part of the prefix', () => {
  test.each([
    [
      'behind a key',
      logOf(
        (name, clock) => `2026-03-14 ${clock} host=${name} expires=2026-05-15T06:30:54Z path=/etc/${name}`,
      ),
      'host=amber-0 expires=2026-05-15T06:30:54Z path=/etc/amber-0',
    ],
    [
      'behind a name that varies',
      logOf((name, clock) => `2026-03-14 ${clock} INFO ${name} 2026-05-15T06:30:54Z is its last day`),
      'amber-0 2026-05-15T06:30:54Z is its last day',
    ],
    [
      'behind a level and a name that varies',
      logOf((name, clock) => `INFO step ${name} finished, it took ${clock} in all`),
      'step amber-0 finished, it took 10:00:07 in all',
    ],
    [
      'behind words',
      logOf(
        (_, clock, n) =>
          `2026-03-14 ${clock} INFO the next run is at 2026-05-15T06:30:54Z by ${NAMES[n % 7]} and others`,
      ),
      'the next run is at 2026-05-15T06:30:54Z by amber and others',
    ],
  ])('%s', (_, text, message) => {
    expect(messageOf(text)).toBe(message)
  })

  test('what stands before it is shown', () => {
    const text = logOf(
      (name, clock) => `2026-03-14 ${clock} host=${name} expires=2026-05-15T06:30:54Z path=/etc/tls`,
    )
    const output = logStrategy.compress({ text, goal: undefined, budget: 400 })?.text ?? ''
    expect(output).toContain('host=amber-0')
  })
})

test.each([
  [
    'a date and a clock',
    (name: string, clock: string, n: number) => `Mar ${1 + (n % 28)} ${clock} 2026 ${name} woke`,
  ],
  [
    'a runtime before the program',
    (name: string, clock: string) => `2026-03-14T${clock}Z stdout F 2026-03-14 ${clock} INFO ${name} woke`,
  ],
  [
    'a job before the program',
    (name: string, clock: string) => `build\tRun tests\t2026-03-14T${clock}.0000000Z ${clock} ${name} woke`,
  ],
  [
    'numbers before a level',
    (name: string, clock: string, n: number) =>
      `03-14 ${clock}.104  ${1234 + (n % 9)}  ${5678 + n} I ${name} woke`,
  ],
  [
    'a place that varies between times before a level',
    (name: string, clock: string, n: number) =>
      `BOARD 2026.03.14 rack-${n}-slot${n * 7} 2026-03-14-${clock} rack-${n}-slot${n * 7} MMCS KERNEL ERROR ${name} woke`,
  ],
])('times of the log itself are: %s', (_, line) => {
  expect(messageOf(logOf(line))).toBe('amber-0 woke')
})

test('who speaks in the logs of several services stays, digits in the name or not', () => {
  const said = (name: string, n: number): string => `${name}  | 2026-03-14 10:${two(n % 60)}:07 `
  const text = Array.from({ length: 90 }, (_, n) =>
    n === 50
      ? `${said('kiln-2', n)}FATAL: no gas`
      : [
          `${said('kiln-2', n)}fired ${n} pots`,
          `${said('wheel-1', n)}turned ${n} bowls`,
          `${said('glaze-1', n)}dipped ${n} cups`,
        ][n % 3],
  ).join('\n')
  const output = logStrategy.compress({ text, goal: undefined, budget: 160 })
  const shown = output?.text.split('\n') ?? []
  expect(shown).toContainEqual(expect.stringMatching(/kiln-2 .*FATAL: no gas/))
  for (const line of shown) expect(line).toMatch(/^(?:×\d+ like )?(?:kiln-2|wheel-1|glaze-1) /)
  expect(output?.omitted).toContain('times left out')
})
