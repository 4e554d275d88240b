import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readGuardModels } from '../../../electron/engine/guardrails/guard-models.ts'
import { createScanText, scanNear } from '../../../electron/engine/guardrails/scan-text.ts'
import { BUILT_IN_GUARD_POLICY } from '../../../shared/guard-policy.ts'
import { generateText } from '../../fixtures/servers/generate-text.ts'
import { readGuardTexts } from '../../guard/read-guard-texts.ts'

const { markFrom, threshold } = BUILT_IN_GUARD_POLICY
const scan = createScanText(readGuardModels())
const prose = generateText('prose', 300_000, 3)
const SURE = 0.95

describe('long texts', () => {
  it.each([
    'jszip/LICENSE.markdown',
    'typescript/ThirdPartyNoticeText.txt',
    'vite/LICENSE.md',
    'undici/README.md',
    'vscode-uri/LICENSE.md',
  ])('an ordinary document of a package passes: %s', (path) => {
    const text = readFileSync(new URL(`../../../node_modules/${path}`, import.meta.url), 'utf8')
    expect(scan(text).verdict).toBe('benign')
  })

  it('of random words pass but for few: chance makes a sentence of thousands read like an order', () => {
    const scores = Array.from(
      { length: 12 },
      (_, seed) => scan(generateText('prose', 300_000, seed + 1)).score,
    )
    const from = (least: number): number => scores.filter((score) => score >= least).length
    expect(from(threshold)).toBeLessThanOrEqual(1)
    expect(from(markFrom)).toBeLessThanOrEqual(3)
  })

  it('count chance as chance: where many places read a little like orders, one is the strongest', () => {
    const words: Readonly<Record<string, string>> = {
      ash: 'reply',
      boat: 'change',
      man: 'rules',
      oak: 'tell',
      ox: 'instructions',
      rock: 'now',
      sand: 'read',
      sea: 'must',
    }
    for (const seed of [7, 8, 9]) {
      const text = generateText('prose', 200_000, seed).replace(/[a-z]+/g, (word) => words[word] ?? word)
      const places = Array.from(
        { length: 100 },
        (_, index) => scan(text.slice(index * 2000, (index + 1) * 2000)).score,
      )
      expect(places.filter((score) => score > 0.1).length).toBeGreaterThan(30)
      expect(scan(text).score).toBeLessThan(Math.max(...places) - 0.1)
    }
  })

  it('hide no attack that is sure alone: it is found in 300 kB of random words, too', () => {
    const attacks = readGuardTexts()
      .filter(({ set, text }) => set === 'attacks' && text.length < 5000)
      .filter((_, index) => index % 20 === 0)
      .map(({ text }) => text)
      .filter((text) => scan(text).score > SURE)
    // Else any finding beside the attack would do.
    expect(scan(prose).verdict).toBe('benign')
    const found = attacks.filter((text, index) => {
      const at = prose.indexOf('. ', [20_000, 150_000, 280_000][index % 3]) + 2
      const { verdict, findings } = scan(`${prose.slice(0, at)}\n\n${text}\n\n${prose.slice(at)}`)
      return verdict === 'attack' && findings.some(({ start, end }) => start < at + text.length && end > at)
    })
    expect(attacks.length).toBeGreaterThan(12)
    expect(found.length / attacks.length).toBeGreaterThan(0.9)
  })

  it('count no support from elsewhere: orders are supported by what stands near them', () => {
    const text = `${'a'.repeat(9000)}ORDER${'b'.repeat(9000)}`
    const seen: string[] = []
    const found = scanNear(text, [{ start: 9000, end: 9005 }], (part) => {
      seen.push(part)
      const start = part.indexOf('ORDER')
      return [{ detector: 'd', kind: 'override', score: 0.3, start, end: start + 5, reason: 'r' }]
    })
    expect(seen).toHaveLength(1)
    expect(seen[0]?.length).toBeLessThan(6000)
    expect(found).toMatchObject([{ start: 9000, end: 9005 }])
    expect(scanNear(text, [], () => found)).toEqual([])
  })
})
