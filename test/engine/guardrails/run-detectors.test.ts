import { describe, expect, it } from 'vitest'
import type { Detector, Finding } from '../../../electron/engine/guardrails/detector.ts'
import { runDetectors } from '../../../electron/engine/guardrails/run-detectors.ts'

const finding: Finding = { detector: 'a', kind: 'override', score: 0.9, start: 0, end: 3, reason: 'says so' }
const detector = (name: string, scan: Detector['scanText']): Detector => ({
  name,
  scanText: scan,
  scanDefinition: ({ name: text }) => scan(text),
})
const runWithin = (timeLimitMs: number, ...detectors: Detector[]) =>
  runDetectors(detectors, { text: 'abc' }, { timeLimitMs, now: () => performance.now() })
const run = (...detectors: Detector[]) => runWithin(60_000, ...detectors)
const kinds = (findings: readonly Finding[]) => findings.map(({ detector, kind }) => `${detector} ${kind}`)

describe('running detectors', () => {
  it('gathers the findings of all, in their order', async () => {
    const slow = detector('slow', async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return [{ ...finding, detector: 'slow' }]
    })
    expect(
      kinds(
        await run(
          slow,
          detector('a', () => [finding]),
        ),
      ),
    ).toEqual(['slow override', 'a override'])
  })

  it('takes definitions as well', async () => {
    const options = { timeLimitMs: 60_000, now: () => performance.now() }
    const input = { definition: { type: 'tool', name: 'x', value: {} } } as const
    expect(await runDetectors([detector('a', () => [finding])], input, options)).toEqual([finding])
  })

  // The earlier system let a result pass when its provider threw.
  it('counts a detector that throws as a finding, and still hears the others', async () => {
    const broken = detector('broken', () => {
      throw new Error('no model')
    })
    const rejecting = detector('rejecting', () => Promise.reject(new Error('no network')))
    const found = await run(
      broken,
      rejecting,
      detector('a', () => [finding]),
    )
    expect(kinds(found)).toEqual(['broken detector-failed', 'rejecting detector-failed', 'a override'])
    expect(found[0]?.reason).toContain('no model')
    expect(found[1]?.reason).toContain('no network')
  })

  it('counts a detector that never answers as a finding', async () => {
    expect(
      kinds(
        await runWithin(
          50,
          detector('hanging', () => new Promise(() => {})),
        ),
      ),
    ).toEqual(['hanging detector-failed'])
  })

  it('counts a detector that computes for too long, and keeps what it found', async () => {
    let clock = 0
    const found = await runDetectors(
      [
        detector('long', () => {
          clock += 80
          return [finding]
        }),
      ],
      { text: 'abc' },
      { timeLimitMs: 50, now: () => clock },
    )
    expect(kinds(found)).toEqual(['a override', 'long detector-failed'])
  })

  it('counts an answer that is no list of findings', async () => {
    const odd = detector('odd', () => JSON.parse('{"ok":true}'))
    expect(kinds(await run(odd))).toEqual(['odd detector-failed'])
  })
})
