import { expect, it } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

const compress = await loadCompressor()
const files = ['billing/invoice', 'stock/reorder', 'ui/basket', 'ui/login', 'api/orders', 'api/users']
const messages = [
  ['TS6133', "'flag' is declared but its value is never read."],
  ['TS2322', "Type 'string' is not assignable to type 'number'."],
  ['TS1308', "'await' expressions are only allowed within async functions."],
] as const
const compiled = Array.from({ length: 120 }, (_, i) => {
  const [code, words] = messages[i % 2 === 0 ? 0 : i % 5 === 0 ? 2 : 1] ?? messages[0]
  return `src/${files[i % 6]}.ts(${i + 3},${(i % 50) + 1}): error ${code}: ${words}`
})

it.each([undefined, 'which types are wrong', 'await'])(
  'codes and places before a message are no noise where there are no times: %s',
  (goal) => {
    const shown = compress({ text: compiled.join('\n'), goal, budget: 300 }).text
    for (const line of shown.split('\n').filter((each) => / error /.test(each)))
      expect(line).toMatch(/error TS\d{4}:/)
  },
)

it('a count and the lines of its kind that are printed add up to all', () => {
  const places = Array.from({ length: 40 }, (_, i) => {
    const column = `${i * 9 + 1}:${(i % 7) + 1}`.padStart(i < 20 ? 9 : 8)
    return `${column}  error  Unexpected var, use let or const instead  no-var`
  })
  const text = [
    '/srv/app/a.js',
    ...places.slice(0, 20),
    '',
    '/srv/app/b.js',
    ...places.slice(20),
    '',
    '40 problems',
  ].join('\n')
  for (const goal of [undefined, 'unexpected var', 'problems', 'where is var used in b.js'])
    for (const budget of [80, 150, 300]) {
      const shown = compress({ text, goal, budget }).text.split('\n')
      const counts = shown
        .filter((line) => /Unexpected var/.test(line))
        .map((line) => Number(/^×(\d+)/.exec(line)?.[1] ?? 1))
      if (counts.some((count) => count > 1)) expect(counts.reduce((sum, count) => sum + count)).toBe(40)
    }
})

it('sections that two blank lines part have their heading, whatever one blank line parts in them', () => {
  const finding = (line: number, code: string, kind: string) =>
    `In /usr/bin/tool line ${line}:\ntest $r${line} -lt 5 && kill $$\n     ^--^ SC${code} (${kind}): Words about ${kind} ${code} here.\n\nDid you mean:\ntest "$r${line}" -lt 5 && kill $$\n`
  const findings = Array.from({ length: 30 }, (_, i) =>
    finding(10 * i + 3, i === 21 ? '2046' : '2086', i === 21 ? 'warning' : 'info'),
  )
  const shown = compress({
    text: findings.join('\n\n'),
    goal: 'which finding is a warning',
    budget: 250,
  }).text
  const lines = shown.split('\n')
  const heading = lines
    .slice(
      0,
      lines.findIndex((line) => line.includes('(warning)')),
    )
    .findLast((line) => line.startsWith('In '))
  expect(heading).toBe('In /usr/bin/tool line 213:')
})
