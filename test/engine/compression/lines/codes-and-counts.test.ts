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

it('the definition of a name is shown where it is asked for, not only its uses', () => {
  const uses = Array.from(
    { length: 90 },
    (_, i) => `src/core${i % 9}.py:${i * 31}:        value = self.prompt_for_value(ctx${i})`,
  )
  uses[44] = 'src/core.py:3467:    def prompt_for_value(self, ctx: Context) -> t.Any:'
  const shown = compress({
    text: uses.join('\n'),
    goal: 'where is prompt_for_value defined?',
    budget: 120,
  }).text
  expect(shown).toMatch(/core\.py:3467:\s+def prompt_for_value/)
})

it('a line counts those of its kind that have what the goal asks for, too', () => {
  const requests = Array.from({ length: 200 }, (_, i) =>
    JSON.stringify({
      time: 1751342400000 + i * 977,
      msg: 'request completed',
      url: `/api/seats/${i}`,
      statusCode: i % 50 === 7 ? 404 : 200,
      ms: (i * 37) % 400,
    }),
  )
  const shown = compress({
    text: requests.join('\n'),
    goal: 'how many requests ended in 404',
    budget: 400,
  }).text
  const counts = shown
    .split('\n')
    .filter((line) => line.includes('404'))
    .map((line) => Number(/^×(\d+)/.exec(line)?.[1] ?? 1))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4)
})

it('a name with its number is not printed for others', () => {
  const section = (by: string, counts: number[]) => [
    `Total issues (by ${by}):`,
    ...['Undefined', 'Low', 'Medium', 'High'].map((level, i) => `\t\t${level}: ${counts[i]}.0`),
  ]
  const issues = Array.from(
    { length: 60 },
    (_, i) => `>> Issue: [B${100 + (i % 7)}] Words about what was found at place ${i}`,
  )
  const text = [
    ...issues,
    'Run metrics:',
    ...section('severity', [0, 38, 0, 0]),
    ...section('confidence', [0, 0, 1, 37]),
  ].join('\n')
  expect(compress({ text, goal: 'total issues by severity and confidence', budget: 160 }).text).not.toMatch(
    /^×\d+ .*(?:Low|High|Medium)/m,
  )
})
