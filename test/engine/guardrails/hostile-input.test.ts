import * as fc from '../../helpers/properties.ts'
import { describe, expect, it } from 'vitest'
import { cleanValue } from '../../../electron/engine/guardrails/clean-value.ts'
import { cleanText } from '../../../electron/engine/guardrails/control-characters.ts'
import { createBuiltInDetectors, createScanText } from '../../../electron/engine/guardrails/scan-text.ts'
import { readGuardModels } from '../../../electron/engine/guardrails/guard-models.ts'
import { judge } from '../../../electron/engine/guardrails/judge.ts'
import { guardrailInputs } from '../../helpers/guardrail-inputs.ts'
import { hostileTexts } from '../../helpers/hostile-texts.ts'

const model = readGuardModels()
const scan = createScanText(model)
const detectors = createBuiltInDetectors(model)

/** Processor time; only growth faster than linear reaches it. */
const RUNAWAY_MS = 10_000

describe('a lot of', () => {
  it.each([...hostileTexts(150_000), ['one letter, a megabyte', () => 'a'.repeat(1_000_000)] as const])(
    '%s',
    (_, make) => {
      const text = make()
      const before = process.threadCpuUsage()
      for (const { start, end, score } of scan(text).findings) {
        expect(start).toBeGreaterThanOrEqual(0)
        expect(end).toBeLessThanOrEqual(text.length)
        expect(score).toBeLessThanOrEqual(1)
      }
      cleanText(text, 'strip')
      cleanText(text, 'visualise')
      expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(RUNAWAY_MS)
    },
  )
})

describe('random input', () => {
  it('never breaks a detector, and every finding lies within the text', () => {
    fc.assert(
      fc.property(guardrailInputs.text, (text) => {
        for (const { start, end, score, reason } of scan(text).findings) {
          expect(start >= 0 && start <= end && end <= text.length).toBe(true)
          expect(score >= 0 && score <= 1).toBe(true)
          expect(reason).not.toBe('')
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is clean after cleaning, and cleaning again changes nothing', () => {
    fc.assert(
      fc.property(guardrailInputs.text, (text) => {
        const clean = cleanText(text, 'strip')
        expect(cleanText(clean, 'strip')).toBe(clean)
        // oxlint-disable-next-line no-control-regex -- exactly what must be gone
        expect(clean).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)|[\u202d\u202e]/)
        const shown = cleanText(text, 'visualise')
        expect(cleanText(shown, 'strip')).toBe(shown)
      }),
      { numRuns: 500 },
    )
  })

  it('loses nothing that is ordinary', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '中', 'ا', '👍', '\n', '\t', '.') }),
        (text) => {
          expect(cleanText(text, 'strip')).toBe(text)
        },
      ),
    )
  })

  it('never breaks the scan of a definition or the cleaning of a value', () => {
    fc.assert(
      fc.property(guardrailInputs.value, (value) => {
        const definition = { type: 'tool', name: 'x', value, foreignTools: ['send_email'] } as const
        const { score } = judge(detectors.flatMap((detector) => detector.scanDefinition(definition)))
        expect(score >= 0 && score <= 1).toBe(true)
        const clean = cleanValue(value, 'strip')
        expect(cleanValue(clean, 'strip')).toEqual(clean)
      }),
      { numRuns: 300 },
    )
  })
})
