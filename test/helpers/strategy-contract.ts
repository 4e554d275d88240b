import * as fc from './properties.ts'
import { describe, expect, test } from 'vitest'
import type { Strategy, StrategyOutput } from '../../electron/engine/compression/strategy.ts'
import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'

export interface ContractSamples {
  /** Of the strategy's kind, diverse, each longer than 400 tokens. */
  readonly texts: readonly string[]
  readonly goals: readonly string[]
}

const BUDGETS = [1, 12, 40, 120, 500, 2000]
/** Quadratic time would take minutes at this size. */
const LARGE = 500_000

/** For any input. Call once in each strategy's test file. */
export function describeStrategyContract(strategy: Strategy, samples: ContractSamples): void {
  const goals = [undefined, ...samples.goals]
  const check = (text: string, goal: string | undefined, budget: number, lossless?: boolean) => {
    const output = strategy.compress({ text, goal, budget, lossless })
    if (output !== undefined) expectWithin(output, budget, text)
    return output
  }

  describe(`${strategy.name}: the contract of all strategies`, () => {
    test('has a name and kinds', () => {
      expect(strategy.name).toMatch(/^[a-z][a-z-]*$/)
    })

    test.each(samples.texts.map((text, i) => [i, text] as const))(
      'sample %i: within every budget',
      (_, text) => {
        for (const budget of BUDGETS) for (const goal of goals) check(text, goal, budget)
      },
    )

    test('the samples are of its kind: something comes out at 500 tokens', () => {
      for (const text of samples.texts) expect(check(text, samples.goals[0], 500)?.text).not.toBe('')
    })

    test('the same input gives the same bytes', () => {
      for (const text of samples.texts)
        for (const goal of goals) expect(check(text, goal, 300)).toEqual(check(text, goal, 300))
    })

    test('an order of calls leaves no trace', () => {
      const [first = ''] = samples.texts
      const before = check(first, samples.goals[0], 200)
      for (const text of samples.texts) for (const goal of goals) check(text, goal, 700)
      expect(check(first, samples.goals[0], 200)).toEqual(before)
    })

    test.runIf(strategy.hasLossless)('asked for a lossless form, it gives one or nothing', () => {
      for (const text of samples.texts) {
        const output = check(text, undefined, 100_000, true)
        if (output !== undefined) expect(output.lossless).toBe(true)
      }
    })

    test.each(Object.entries(hostileTexts()))('survives %s', (_, text) => {
      for (const goal of ['what is the total of user 42?', undefined]) {
        check(text, goal, 200)
        check(text, goal, 1)
      }
    })

    test.each(Object.entries(hugeTexts()))('gets through %s', (_, text) => {
      check(text, 'error of user 42', 500)
      check(text, undefined, 500)
    })

    test('its samples repeated to half a megabyte stay within the budget', () => {
      const [first = 'x'] = samples.texts
      check(`${first}\n`.repeat(Math.ceil(LARGE / (first.length + 1))), samples.goals[0], 500)
    })

    test('damaged samples: cut anywhere, with odd strings put in', () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...samples.texts),
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.string({ unit: 'binary', maxLength: 40 }),
          fc.constantFrom(...goals),
          fc.integer({ min: 1, max: 600 }),
          (text, from, at, odd, goal, budget) => {
            const cut = text.slice(Math.floor(from * text.length * 0.5))
            const place = Math.floor(at * cut.length)
            check(cut.slice(0, place) + odd + cut.slice(place), goal, budget)
          },
        ),
        { numRuns: 12 },
      )
    })

    test('any text, any goal', () => {
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string({ unit: 'binary', maxLength: 2000 }),
            fc.json({ maxDepth: 5 }),
            fc.lorem({ maxCount: 200 }),
          ),
          fc.option(fc.string({ unit: 'binary', maxLength: 60 }), { nil: undefined }),
          fc.integer({ min: 1, max: 300 }),
          (text, goal, budget) => {
            check(text, goal, budget)
          },
        ),
        { numRuns: 30 },
      )
    })
  })
}

function expectWithin(output: StrategyOutput, budget: number, text: string): void {
  const tokens = countTokens(output.text) + (output.omitted === undefined ? 0 : countTokens(output.omitted))
  if (tokens > budget)
    expect.fail(
      `${tokens} tokens for a budget of ${budget}; the text began ${JSON.stringify(text.slice(0, 200))}`,
    )
}

function hostileTexts(): Record<string, string> {
  return {
    'an empty text': '',
    'blanks only': ' \t\r\n \n\n',
    'one character': 'x',
    'a lone surrogate': 'a\ud800b\udc00\ud800',
    'lone surrogates in lines': 'ok \ud83d\n'.repeat(500),
    'emoji and joined emoji': '👩‍👩‍👧‍👦 🏳️‍🌈 '.repeat(300),
    'right-to-left text': 'مرحبا بالعالم שלום עולם. '.repeat(200),
    'Chinese without blanks': '这是一个很长的句子没有任何空格'.repeat(200),
    'combining marks': 'e\u0301\u0301\u0301\u0301 '.repeat(800),
    'control characters': '\u0000\u0001\u001b[31mred\u001b[0m\u0007\n'.repeat(200),
    'byte order marks': '\ufeffa,b\n\ufeff1,2\n'.repeat(200),
    'special tokens': '<|endoftext|><|im_start|>system\n'.repeat(100),
    'old Mac line ends': 'one line\rtwo lines\r'.repeat(200),
    'line separators': 'one\u2028two\u2029three\u0085'.repeat(200),
    'prototype keys': '{"__proto__":{"a":1},"constructor":2,"hasOwnProperty":3}',
    'open brackets': '['.repeat(5000),
    'open objects': '{"a":'.repeat(3000),
    'open tags': '<div>'.repeat(5000),
    'open quotes': '"'.repeat(5001),
    'a cut-off document': '{"a": [1, 2, {"b": "c',
    'a table of bars': '|'.repeat(4000),
    'commas only': `${','.repeat(500)}\n`.repeat(20),
    'equal lines': 'the same line again\n'.repeat(3000),
    'numbers only': Array.from({ length: 3000 }, (_, i) => String(i)).join('\n'),
  }
}

function hugeTexts(): Record<string, string> {
  return {
    'one line without blanks': 'a'.repeat(LARGE),
    'one line of words': 'word '.repeat(LARGE / 5),
    'blanks without end': ' '.repeat(LARGE),
    'line breaks without end': '\n'.repeat(LARGE),
    'deep brackets': '['.repeat(LARGE / 30) + ']'.repeat(LARGE / 30),
    'deep objects': '{"a":'.repeat(LARGE / 60) + '1' + '}'.repeat(LARGE / 60),
    'deep tags': '<b><i>'.repeat(LARGE / 60),
    'many short lines': 'ab\n'.repeat(LARGE / 6),
    'dashes and stars': '-*_=#'.repeat(LARGE / 10),
    'quotes and escapes': '\\"'.repeat(LARGE / 6),
  }
}
