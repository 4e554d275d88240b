import * as fc from '../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { logStrategy } from '../../../../electron/engine/compression/strategies/log.ts'
import { readKinds } from '../../../../electron/engine/compression/lines/read-kinds.ts'
import { accessLog, jsonLinesLog, serviceLog, sysLog } from '../../../fixtures/compression/make-logs.ts'

const BUDGETS = [100, 140, 250, 600, 1500]
const GOALS = [undefined, 'what is the status of the nightly report?']
const compress = (text: string, budget: number, goal?: string) => logStrategy.compress({ text, goal, budget })

const clock = (i: number): string => {
  const pad = (n: number) => String(n).padStart(2, '0')
  return `${pad(Math.floor(i / 3600) % 24)}:${pad(Math.floor(i / 60) % 60)}:${pad(i % 60)}`
}

/** How loggers, services and CI jobs begin their lines. */
const prefixes: Readonly<Record<string, (i: number) => string>> = {
  none: () => '',
  syslog: (i) =>
    `Jun ${14 + (i >> 10)} ${clock(i)} combo ${['sshd', 'su', 'kernel'][i % 3]}[${(i * 37) % 9000}]: `,
  android: (i) =>
    `03-17 ${clock(i)}.${100 + (i % 900)}  ${1700 + (i % 9)}  ${2000 + (i % 90)} I PowerManager: `,
  glog: (i) => `I0612 ${clock(i)}.${100000 + i} ${9000 - (i % 9)} file_${i % 5}.cc:${i % 900}] `,
  keyValue: (i) => `ts=2024-05-01T${clock(i)}Z level=info caller=x${i % 9}.go:${i % 400} msg=`,
  bracketed: (i) => `[10/Oct/2024:${clock(i)} +0000] [worker-${i % 4}] `,
  job: (i) => `build\tRun tests\t2024-05-01T${clock(i)}.0000000Z `,
  process: () => '==4711== ',
}

/** Members of JSON lines are words. */
const wordsIn = (line: string): string[] =>
  line.replace(/^×[\d,]+ (?:in all )?(?:like )?/, '').split(line.includes('{"') ? /[\s…{},]+/ : /[\s…]+/)

function isWithin(few: readonly string[], many: readonly string[]): boolean {
  let at = 0
  for (const word of many) if (word === few[at]) at++
  return at === few.length
}

const words = ['cache', 'index', 'queue', 'session', 'bucket', 'volume', 'router', 'shard']
/** Harmless lines of a few kinds. */
const harmless = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, i) =>
      [
        `Refreshed ${words[i % 8]} in ${(i * 7919) % 97} ms`,
        `Served /items/${(i * 31) % 977} to 10.0.${i % 9}.${i % 250}`,
        `Queue length is ${(i * 17) % 40}`,
        `Rotated ${words[(i * 3) % 8]} segment ${i}`,
      ][(i * 13) % 4]!,
  )

const FAILURE = 'ERROR: shard zebra-17 lost its quorum'

describe.each(Object.entries(prefixes))('lines that begin like %s', (_, prefix) => {
  const lines = harmless(400)
  const write = (all: readonly string[]) => all.map((line, i) => prefix(i) + line).join('\n')

  test('one error among harmless lines is printed at every budget from 100 on', () => {
    for (const place of [3, 180, 398]) {
      const text = write(lines.toSpliced(place, 0, FAILURE))
      for (const goal of GOALS)
        for (const budget of BUDGETS) expect(compress(text, budget, goal)?.text).toContain('zebra-17')
    }
  })

  test('a prefix makes no kinds', () => {
    const kinds = readKinds(write(lines)).kinds.length
    expect(kinds).toBeLessThanOrEqual(readKinds(lines.join('\n')).kinds.length + 1)
  })

  test('a prefix hides no answer', () => {
    const text = write(lines.toSpliced(211, 0, 'Nightly report finished with status amber'))
    expect(compress(text, 400, GOALS[1])?.text).toContain('status amber')
  })
})

const logs = {
  service: serviceLog(300),
  json: jsonLinesLog(200),
  system: sysLog(300),
  access: accessLog(300),
}

describe.each(Object.entries(logs))('a log: %s', (_, text) => {
  const goals = [undefined, 'why did the charge of grace fail?', 'which process was killed']

  test('printed words are a subsequence of a line, whole or behind a mark', () => {
    const source = text.replace(/\s+/g, ' ')
    for (const goal of goals)
      for (const budget of BUDGETS)
        for (const line of compress(text, budget, goal)?.text.split('\n') ?? [])
          for (const word of wordsIn(line)) expect(source).toContain(word)
  })

  test('a larger budget never keeps less', () => {
    for (const goal of goals) {
      let before: string[] = []
      for (const budget of BUDGETS) {
        const now = compress(text, budget, goal)?.text ?? ''
        // The last line may have been cut, and a kind's shared part gives way to a whole line.
        const kept = before.filter((line) => !line.includes('…'))
        const lines = now.split('\n').map(wordsIn)
        for (const line of kept) expect(lines.some((words) => isWithin(wordsIn(line), words))).toBe(true)
        before = now.split('\n')
      }
    }
  })

  test('what the header says to be left out where equal is in the text', () => {
    for (const budget of BUDGETS) {
      const [, said] = /left out where equal: (.*)$/.exec(compress(text, budget)?.omitted ?? '') ?? []
      for (const value of said?.split(' ') ?? []) expect(text).toContain(value)
    }
  })
})

test('the order of keys in JSON lines changes nothing', () => {
  const parsed = jsonLinesLog(200)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Object.entries(JSON.parse(line) as object))
  const write = (turn: number) =>
    parsed
      .map((members) =>
        JSON.stringify(Object.fromEntries([...members.slice(turn), ...members.slice(0, turn)])),
      )
      .join('\n')
  const chosen = (turn: number) => {
    const read = readKinds(write(turn))
    return Array.from({ length: read.lines.count }, (_, line) => [read.kindOf(line), read.severity(line)])
  }
  expect(chosen(1)).toEqual(chosen(0))
  expect(chosen(2)).toEqual(chosen(0))
})

test('no kind has three lines while a failing kind has none', () => {
  const text = [
    ...harmless(300),
    'FATAL: disk is gone',
    ...harmless(50),
    'upload failed: no space left',
  ].join('\n')
  for (const budget of BUDGETS) {
    const shown = compress(text, budget, 'how long is the queue')?.text ?? ''
    const queued = shown.split('\n').filter((line) => line.includes('Queue length')).length
    if (queued >= 3) {
      expect(shown).toContain('disk is gone')
      expect(shown).toContain('upload failed')
    }
  }
})

test('any lines, any goal: within the budget, every word of the source', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom(
      '',
      '\t',
      'Error: x',
      '    at f (a.js:1:2)',
      '{"level":50,"msg":"m"}',
      '2024-01-01T00:00:00Z INFO a',
    ),
  )
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 60 }),
      fc.integer({ min: 20, max: 300 }),
      fc.boolean(),
      (lines, budget, asks) => {
        const text = lines.join('\n')
        const output = compress(text, budget, asks ? 'Error of x' : undefined)
        for (const printed of output?.text.split('\n') ?? [])
          for (const word of printed.replace(/^×[\d,]+ (?:in all )?(?:like )?/, '').split(/[\s…]+/))
            if (!word.startsWith('{')) expect(text).toContain(word)
      },
    ),
    { numRuns: 150 },
  )
})
