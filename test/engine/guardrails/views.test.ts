import { describe, expect, it } from 'vitest'
import { judge } from '../../../electron/engine/guardrails/judge.ts'
import { readResult } from '../../../electron/engine/guardrails/result-texts.ts'
import {
  createBuiltInDetectors,
  createTextScan,
  scanTexts,
} from '../../../electron/engine/guardrails/scan-text.ts'
import { readGuardModels } from '../../../electron/engine/guardrails/guard-models.ts'
import { scanInWorker } from '../../../electron/engine/guardrails/scan-in-worker.ts'
import { textsOf } from '../../../electron/engine/text/joined-texts.ts'
import { createTestGuard, toolCall } from '../../helpers/guard.ts'

const detectors = createBuiltInDetectors(readGuardModels())
const scanAll = createTextScan(detectors)
const resultOf = (texts: readonly string[]) => ({ content: texts.map((text) => ({ type: 'text', text })) })
const lines = (count: number, line: string): string =>
  Array.from({ length: count }, (_, n) => line.replace('#', String(n))).join('\n')

/** Hides letters in a harmless text; each finding alone stays below the threshold. */
const HIDING = {
  'zero-width spaces in words': 've\u200bry\u200blong name #',
  'the same among colours': '\u001b[2mve\u200bry\u200blong\u001b[0m name #',
  'turned directions': 'name \u202e# of a list',
  'letters of other scripts': 'the p\u0430ge of n\u0430me #',
}

describe.each(Object.entries(HIDING))('a harmless text with %s', (_, line) => {
  const text = lines(55, line)

  it('passes beside another text, and in pieces, as it passes alone', async () => {
    const half = text.indexOf('\n', text.length / 2)
    for (const texts of [
      [text],
      [text, 'and more'],
      ['and more', text],
      ['first', text, 'last'],
      [text, lines(70, line)],
      [text.slice(0, half), text.slice(half)],
      text.split('\n'),
    ]) {
      const { guard, quarantine } = createTestGuard()
      const result = resultOf(texts)
      await guard.guardResult(() => Promise.resolve({ result }))(toolCall({ controlCharacters: 'keep' }))
      expect(quarantine.list(), `${texts.length} texts`).toEqual([])
    }
  })

  it('passes when it is so long that it is scanned in pieces', async () => {
    const run = async (_name: string, joined: Parameters<typeof textsOf>[0]) =>
      [...textsOf(joined)].flatMap((each, index) => scanAll(each).map((finding) => [index, finding]))
    const long = lines(20_000, line)
    const found = await scanInWorker({ run } as Parameters<typeof scanInWorker>[0], [
      { path: '', text: long },
    ])
    expect(judge(found).score).toBeCloseTo(judge(scanAll(long.slice(0, 100_000))).score, 1)
  })
})

/** Seeded. */
function randomTexts(seed: number): { readonly text: string; readonly harmless: string } {
  let state = seed
  const below = (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return (state >> 8) % most
  }
  const words = 'page name order total of a list in long table with its rows next door rain report'.split(' ')
  const hidden = [
    '\u200b',
    '\u00ad',
    '\u2060',
    '\u202e',
    '\u001b[2m',
    '\u001b[0m',
    '\u0430',
    '\ufeff',
    '\u200d',
  ]
  const word = (share: number): string =>
    Array.from(words[below(words.length)] ?? '')
      .map((letter) => (below(100) < share ? (hidden[below(hidden.length)] ?? '') : '') + letter)
      .join('')
  const share = below(30)
  const text = Array.from(
    { length: 10 + below(300) },
    () => word(share) + (below(9) === 0 ? '\n' : ' '),
  ).join('')
  return { text, harmless: Array.from({ length: 1 + below(80) }, () => word(0)).join(' ') }
}

describe.each([...detectors.map((each) => [each.name, [each]] as const), ['all', detectors] as const])(
  'the verdict of the detector %s',
  (_, used) => {
    it('on an attack stays the same with a harmless text beside it', () => {
      const scan = createTextScan(used)
      const verdictOf = (texts: readonly string[]) =>
        judge(scanTexts(scan, readResult(resultOf(texts)).texts)).verdict
      const verdicts = new Set<string>()
      for (let seed = 1; seed <= 120; seed++) {
        const { text, harmless } = randomTexts(seed)
        const alone = verdictOf([text])
        verdicts.add(alone)
        if (alone !== 'attack') continue
        expect(verdictOf([text, harmless]), `seed ${seed}`).toBe(alone)
        expect(verdictOf([harmless, text]), `seed ${seed}`).toBe(alone)
      }
      expect(verdicts).toContain('benign')
    })
  },
)
