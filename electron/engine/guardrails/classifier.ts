import { decodePayloads } from './decode-payloads.ts'
import type { Definition, Finding, ImmediateDetector } from './detector.ts'
import { foldText } from './fold-text.ts'
import type { GuardModel } from './guard-model.ts'
import { BUCKETS, forEachHalfWindow } from './hashed-windows.ts'
import { textsIn } from './texts-in.ts'

const NAME = 'classifier'
/** Below this a window is not worth a finding of its own, though its text is. */
const SUSPICIOUS = 0.5
/** Scores under this say nothing and are left out. */
const SILENT = 0.01
const MOST_FINDINGS = 8
/** So many disguised letters make the plain spelling worth a second reading. */
const DISGUISED = 3
/** Definitions speak to the model by nature, so the margin has to be larger by this. */
const DEFINITION_MARGIN = 0.4

export interface WindowScore {
  readonly score: number
  readonly start: number
  readonly end: number
}

/**
 * A linear model over hashed n-grams of overlapping windows of 256 characters; the highest window counts. Takes linear
 * time. It knows what attacks of its training data look like, and little else: see docs/guardrails.md.
 */
export function createClassifier(model: GuardModel, decode = decodePayloads): ImmediateDetector {
  const score = createWindowScorer(model)
  const named = (finding: Omit<Finding, 'detector'>): Finding => ({ detector: NAME, ...finding })

  const scan = (text: string): Omit<Finding, 'detector'>[] => {
    const findings = score(text, 0).map(asFinding)
    const folded = foldText(text)
    if (folded && folded.disguised >= DISGUISED) {
      for (const window of score(folded.text, 0).filter((found) => found.score >= SUSPICIOUS))
        findings.push(
          asFinding({
            score: window.score,
            start: folded.originalIndex(window.start),
            end: folded.originalIndex(window.end),
          }),
        )
    }
    for (const payload of decode(text)) {
      const highest = score(payload.text, 0)[0]
      if (highest && highest.score >= SUSPICIOUS)
        findings.push({
          kind: 'encoded-payload',
          score: highest.score,
          start: payload.start,
          end: payload.end,
          reason: `holds a message in ${payload.encoding} that reads like an attack: "${payload.text.slice(0, 120)}"`,
        })
    }
    return findings
  }

  const scanDefinition = ({ value }: Definition): Finding[] =>
    textsIn(value).flatMap(({ path, text }) =>
      score(text, DEFINITION_MARGIN)
        .filter((window) => window.score >= SUSPICIOUS)
        .map((window) => named({ ...asFinding(window), path })),
    )

  return { name: NAME, scanText: (text) => scan(text).map(named), scanDefinition }
}

const asFinding = ({ score, start, end }: WindowScore): Omit<Finding, 'detector'> => ({
  kind: 'reads-like-an-attack',
  score,
  start,
  end,
  reason: `reads like instructions to a model: ${Math.round(score * 100)} %`,
})

/** A function that gives the highest window first, then other suspicious ones that don't overlap those before them. */
export function createWindowScorer(model: GuardModel): (text: string, margin: number) => WindowScore[] {
  const { weights, scale, bias, threshold, steepness } = model
  // How often each bucket stands in the current window; all zero between two texts.
  const counts = new Uint16Array(BUCKETS)

  return (text, margin) => {
    let sum = 0
    let distinct = 0
    let before: Half | undefined
    let highest: WindowScore | undefined
    let suspicious: WindowScore[] = []

    const add = ({ buckets }: Half): void => {
      // Indices instead of for-of: these two loops are most of the time that a scan takes.
      for (let i = 0; i < buckets.length; i++) {
        const bucket = buckets[i] ?? 0
        const count = counts[bucket] ?? 0
        counts[bucket] = count + 1
        if (count > 0) continue
        sum += weights[bucket] ?? 0
        distinct++
      }
    }
    const remove = ({ buckets }: Half): void => {
      for (let i = 0; i < buckets.length; i++) {
        const bucket = buckets[i] ?? 0
        const left = (counts[bucket] ?? 0) - 1
        counts[bucket] = left
        if (left > 0) continue
        sum -= weights[bucket] ?? 0
        distinct--
      }
    }
    const look = (start: number, end: number): void => {
      const value = (scale * sum) / Math.sqrt(Math.max(1, distinct)) + bias
      const window = { score: 1 / (1 + Math.exp(-steepness * (value - threshold - margin))), start, end }
      if (!highest || window.score > highest.score) highest = window
      if (window.score >= SUSPICIOUS) suspicious = keep(suspicious, window)
    }

    let halves = 0
    forEachHalfWindow(text, (buckets, count, start, end) => {
      const half: Half = { buckets: buckets.slice(0, count), start, end }
      add(half)
      if (before) {
        look(before.start, end)
        remove(before)
      }
      before = half
      halves++
    })
    if (before && halves === 1) look(before.start, before.end)
    if (before) remove(before)
    return ranked(highest, suspicious)
  }
}

function ranked(highest: WindowScore | undefined, suspicious: readonly WindowScore[]): WindowScore[] {
  if (!highest || highest.score < SILENT) return []
  return [highest, ...suspicious.filter((window) => !overlap(window, highest))].slice(0, MOST_FINDINGS)
}

interface Half {
  readonly buckets: Uint16Array
  readonly start: number
  readonly end: number
}

/** Windows come in order: one that overlaps the last kept one takes its place if it scores higher. */
function keep(kept: WindowScore[], window: WindowScore): WindowScore[] {
  const last = kept.at(-1)
  if (last && overlap(last, window)) return last.score >= window.score ? kept : [...kept.slice(0, -1), window]
  return kept.length < MOST_FINDINGS ? [...kept, window] : kept
}

const overlap = (a: WindowScore, b: WindowScore): boolean => a.start < b.end && b.start < a.end
