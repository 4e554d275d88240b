import type { Settings } from '../../shared/settings.ts'
import { messageOf } from './errors.ts'
import type { Events } from './events.ts'
import { cleanText } from './guardrails/control-characters.ts'
import { combineScores } from './guardrails/combine-scores.ts'
import type { Finding, ImmediateDetector } from './guardrails/detector.ts'
import type { GuardOptions } from './guardrails/guard-result.ts'
import type { QuarantineStore } from './guardrails/quarantine-store.ts'
import { runDetectors } from './guardrails/run-detectors.ts'
import type { PlacedText } from './guardrails/texts-in.ts'
import type { Logger } from './logger.ts'
import { createOtherDetectors } from './other-detectors.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Texts up to this many characters together are scanned where they are: the way to a worker takes longer. */
const SCANNED_INLINE = 10_000
const WORKER_LIMIT_MS = 5_000
const WORKER_LIMIT_MS_PER_CHARACTER = 0.001
/** What a detector elsewhere gets at the most: of longer texts the beginning and the end. */
const SENT_CHARACTERS = 200_000

/** Joins the guard to its detectors, the worker threads and the quarantine. */
export function guardOptions(options: {
  workers: WorkerPool
  quarantine: QuarantineStore
  settings: () => Settings
  /** For `${env:NAME}` in a detector's key and headers. */
  env: Readonly<Record<string, string>>
  /** Stand-ins for personal data, before anything leaves the machine. */
  mask: (text: string) => Promise<string>
  events: Events
  logger: Logger
  fetch: typeof fetch
}): GuardOptions {
  const { workers, quarantine, events, logger } = options
  // Loaded when first needed: a session that only lists should not wait for it.
  // The module is kept, because even an import of what is there already takes a tenth of a small call.
  let scanning: ReturnType<typeof loadScanning> | undefined
  let inline: readonly ImmediateDetector[] | undefined
  const scanInline = async (texts: readonly PlacedText[]): Promise<Finding[]> => {
    const { createBuiltInDetectors, readGuardModel, scanTexts } = await (scanning ??= loadScanning())
    return scanTexts((inline ??= createBuiltInDetectors(readGuardModel())), texts)
  }
  const scanBuiltIn = async (texts: readonly PlacedText[]): Promise<Finding[]> => {
    const size = texts.reduce((sum, { text }) => sum + text.length, 0)
    try {
      if (size <= SCANNED_INLINE) return await scanInline(texts)
      const timeoutMs = WORKER_LIMIT_MS + size * WORKER_LIMIT_MS_PER_CHARACTER
      return await workers.run('scan', [...texts], { timeoutMs })
    } catch (error) {
      return [failed('built-in', messageOf(error))]
    }
  }
  const scanElsewhere = async (texts: readonly PlacedText[]): Promise<Finding[]> => {
    const others = createOtherDetectors(options.settings().guardDetectors, options)
    // As the client will read them.
    const whole = texts.map(({ text }) => cleanText(text, 'strip')).join('\n\n')
    if (others.length === 0 || whole === '') return []
    try {
      // Masked before it is cut: half of an address is not recognised any more.
      const text = shortened(await options.mask(whole))
      const found = await Promise.all(
        others.map(({ detector, timeLimitMs }) =>
          runDetectors([detector], { text }, { timeLimitMs, now: () => performance.now() }),
        ),
      )
      // Places in the masked text say nothing about the original.
      return found.flat().map((finding) => ({ ...finding, start: 0, end: 0 }))
    } catch (error) {
      return others.map(({ detector }) => failed(detector.name, messageOf(error)))
    }
  }
  return {
    logger,
    scan: async (texts, threshold) => {
      const [own, others] = await Promise.all([scanBuiltIn(texts), scanElsewhere(texts)])
      const findings = [...own, ...others]
      const { judge } = await (scanning ??= loadScanning())
      const verdict = judge(findings)
      return { ...verdict, verdict: combineScores(findings) >= threshold ? 'attack' : 'benign' }
    },
    quarantine: (entry) => quarantine.put(entry),
    onAttack: (attack) => {
      logger.warn('a text looks like an attack on the model', {
        where: attack.where,
        server: attack.server,
        tool: attack.tool,
        score: attack.score,
        ...(attack.quarantineId === undefined ? {} : { quarantine: attack.quarantineId }),
      })
      events.emit('attack-found', attack)
    },
  }
}

/** The rules alone are a dozen files of patterns. */
async function loadScanning() {
  const [detectors, model] = await Promise.all([
    import('./guardrails/scan-text.ts'),
    import('./guardrails/guard-model.ts'),
  ])
  return { ...detectors, ...model }
}

const shortened = (text: string): string =>
  text.length <= SENT_CHARACTERS
    ? text
    : `${text.slice(0, SENT_CHARACTERS / 2)}\n…\n${text.slice(-SENT_CHARACTERS / 2)}`

const failed = (detector: string, why: string): Finding => ({
  detector,
  kind: 'detector-failed',
  score: 1,
  start: 0,
  end: 0,
  reason: `The detector "${detector}" failed (${why}), so nobody has looked at this text.`,
})
