import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { detectKind } from '../../../../electron/engine/text/kinds/detect-kind.ts'
import { logStrategy } from '../../../../electron/engine/compression/strategies/log.ts'
import { countTokens } from '../../../../electron/engine/text/tokens/count-tokens.ts'
import { describeStrategyContract } from '../../../helpers/strategy-contract.ts'

const folder = new URL('../../../fixtures/compression/reports/', import.meta.url)
const reports = new Map(
  readdirSync(folder).map((file) => [file.replace('.txt', ''), readFileSync(new URL(file, folder), 'utf8')]),
)
const report = (name: string) => reports.get(name) ?? ''

describeStrategyContract(logStrategy, {
  texts: [
    'vitest',
    'pytest',
    'cargo',
    'go-test',
    'jest',
    'docker-build',
    'terraform-plan',
    'npm-install',
  ].map(report),
  goals: ['why does the discount test fail?', 'which dependency cannot be resolved'],
})

const compress = (text: string, budget: number, goal?: string) => {
  const output = logStrategy.compress({ text, goal, budget })
  if (!output) throw new Error('nothing came out')
  return output
}

describe('what a person looks for in a report is there at a third of its size', () => {
  test.each([
    [
      'vitest',
      [
        'applies the discount',
        'amount must not be negative: -3',
        '6:68',
        '2 failed',
        '61 passed',
        '"total": 85',
        '"total": 90',
      ],
    ],
    ['node-spec', ['parses dates', 'strictly equal', 'n.test.mjs:4', 'pass 40', 'fail 1']],
    ['node-tap', ['not ok 41 - parses dates', "expected: '2024-02-01'", '# pass 40', '# fail 1']],
    [
      'pytest',
      ['test_missing_file', 'FileNotFoundError', 'test_shop.py:9', '1 failed, 43 passed', 'use discount2'],
    ],
    ['unittest', ['FAIL: test_a', "{'a': 1} != {'a': 2}", 'line 3, in test_a', 'FAILED (failures=1)']],
    [
      'cargo',
      [
        'average_of_two',
        'mean of one and two',
        'left: 1.5',
        'right: 2.0',
        'src/lib.rs:7',
        '27 passed; 2 failed',
      ],
    ],
    [
      'go-test',
      [
        'TestDrain',
        'drained 3 jobs, want 4',
        'index out of range [5]',
        'queue.go:42',
        'acme.org/queue\t1.561s',
      ],
    ],
    [
      'jest',
      [
        'adds up the basket',
        'Expected: 4200',
        'Received: 4199.999999999999',
        'src/cart.test.js:16:26',
        '1 failed, 50 passed',
      ],
    ],
    [
      'terraform-plan',
      [
        'aws_db_instance.orders must be replaced',
        'forces replacement',
        'aws_s3_bucket.logs will be created',
        'Plan: 2 to add',
      ],
    ],
    ['docker-build', ["Cannot find module './pricing'", 'failed to solve', 'exit code: 2']],
    [
      'npm-install',
      [
        'ERESOLVE unable to resolve',
        'react@18.3.1',
        'peer react@"^17.0.0" from old-charts@2.4.1',
        'deprecated',
      ],
    ],
    ['eslint', ['/home/ci/shop/src/pay.js', "'amount' is not defined", '26 problems']],
  ])('%s', (name, wanted) => {
    const text = report(name)
    const { text: shown } = compress(text, Math.max(150, Math.floor(countTokens(text) / 3)))
    for (const part of wanted) expect(shown).toContain(part)
  })

  test.each(['gcc', 'make', 'cargo-build', 'tsc'])(
    '%s: every error with its place, before any warning',
    (name) => {
      const text = report(name)
      const errors = text
        .split('\n')
        .filter((line) => /\berror(?:\[\w+\])?:| error TS/.test(line) && !line.includes('could not compile'))
      const { text: shown } = compress(text, Math.max(160, Math.floor(countTokens(text) / 2)))
      expect(errors.length).toBeGreaterThan(0)
      for (const error of errors) expect(shown).toContain(error)
    },
  )
})

describe('a report', () => {
  test('says how many lines are left out', () => {
    expect(compress(report('jest'), 300).omitted).toMatch(/^\d+ of 71 lines, \d+ of \d+ kinds shown$/)
  })

  test('names the slowest', () => {
    expect(compress(report('vitest'), 700).text).toMatch(/waits for stock.*7\d\d/)
  })

  test('the frame of the failing line comes before the others', () => {
    expect(compress(report('jest'), 230).text).toContain('src/cart.test.js:16:26')
  })

  test('a goal brings up what it asks for, passed or not', () => {
    expect(compress(report('vitest'), 400, 'did "adds item 37" pass?').text).toContain('adds item 37')
  })

  test('one complaint a hundred times does not hide another', () => {
    const text = [
      ...Array.from({ length: 100 }, (_, i) => `src/a${i}.ts(${i},1): error TS2304: Cannot find name 'x'.`),
      "src/z.ts(9,9): error TS2339: Property 'pay' does not exist on type 'Shop'.",
    ].join('\n')
    expect(compress(text, 300).text).toContain("Property 'pay' does not exist")
  })

  test.each([...reports.keys()].filter((name) => !['oxlint', 'eslint'].includes(name)))(
    '%s is recognised',
    (name) => {
      expect(detectKind(report(name))).toBe('test-report')
    },
  )
})

test('errors of one kind are all shown, each with its place', () => {
  const warnings = (n: number) => [
    `src/Crane${n}.java:3: warning: [rawtypes] found raw type: List`,
    '  List raw = new ArrayList();',
    '  ^',
  ]
  const places = [4, 9, 17, 23, 31].map((n) => `src/Ledger${n}.java:5`)
  const text = Array.from({ length: 60 }, (_, n) => [
    ...warnings(n),
    ...(n % 12 === 7
      ? [`${places[Math.floor(n / 12)]}: error: cannot find symbol`, `  int no() { return missing${n}; }`]
      : []),
  ])
    .flat()
    .join('\n')
  const shown = compress(text, 500).text
  expect(places.filter((place) => !shown.includes(`${place}: error: cannot find symbol`))).toEqual([])
})

test('the place on the line below an error comes with it', () => {
  const places = [3, 11, 24].map((n) => `lint/quay${n}.js:${n}:31`)
  const text = Array.from({ length: 60 }, (_, n) =>
    n % 20 === 9
      ? [
          '  x eslint(use-isnan): Checking equality with NaN',
          `   ,-[${places[Math.floor(n / 20)]}]`,
          '   `----',
        ]
      : [
          `  ! eslint(no-unused-vars): Variable 'left${n}' is declared`,
          `   ,-[lint/crane${n}.js:2:7]`,
          '   `----',
        ],
  )
    .flat()
    .join('\n')
  const shown = compress(text, 260).text
  expect(places.filter((place) => !shown.includes(place))).toEqual([])
})
