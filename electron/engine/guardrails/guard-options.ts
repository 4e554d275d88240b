import type { Settings } from '../../../shared/settings.ts'
import { messageOf } from '../ground/errors.ts'
import { createBuiltInScan } from './built-in-scan.ts'
import type { Events } from '../ground/events.ts'
import { cleanText } from './control-characters.ts'
import { failedDetector as failed, type Finding } from './detector.ts'
import type { GuardOptions, JudgedResult } from './guard.ts'
import { judge } from './judge.ts'
import type { QuarantineStore } from './quarantine-store.ts'
import { runDetectors } from './run-detectors.ts'
import type { PlacedText } from './texts-in.ts'
import type { Logger } from '../ground/logger.ts'
import { createOtherDetectors } from './other-detectors.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ResultStore } from '../results/store.ts'
import { scanInWorker } from './scan-in-worker.ts'
import { scanResultInWorker } from './scan-result.ts'
import { readPlainText, readResultInTurns, type ReadResult } from './result-texts.ts'
import { isNear } from '../work/near.ts'
import type { Secrets } from '../ground/secrets/secrets.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

const SENT_CHARACTERS = 200_000

export function guardOptions(options: {
  workers: WorkerPool
  quarantine: QuarantineStore
  /** Keeps results before removals. */
  results: Pick<ResultStore, 'put'>
  settings: () => Settings
  /** For `${env:NAME}` and `${secret:NAME}` in keys and headers. */
  env: Readonly<Record<string, string>>
  secrets?: Pick<Secrets, 'get'> | undefined
  /** Before anything leaves the machine. */
  mask: (text: string) => Promise<string>
  events: Events
  logger: Logger
  /** For other detectors; default: Node's. */
  fetch?: typeof fetch
}): GuardOptions {
  const { workers, quarantine, results, events, logger } = options
  const inline = createBuiltInScan()
  /** A promise only if needed, because small results are frequent. */
  const scanBuiltIn = (texts: readonly PlacedText[]): Finding[] | Promise<Finding[]> => {
    if (!isNear('scan', sizeOf(texts))) return scanInWorker(workers, texts)
    try {
      const found = inline.scan(texts)
      return found instanceof Promise ? found.catch((error: unknown) => [builtInFailed(error)]) : found
    } catch (error) {
      return [builtInFailed(error)]
    }
  }
  const scanElsewhere = async (texts: readonly PlacedText[]): Promise<Finding[]> => {
    const others = createOtherDetectors(options.settings().guardDetectors, { fetch, ...options })
    if (others.length === 0) return []
    // As the client will read them.
    const whole = texts.map(({ text }) => cleanText(text, 'strip')).join('\n\n')
    if (whole === '') return []
    try {
      // Mask before cutting, because half an address isn't recognised.
      const text = shortened(await options.mask(whole))
      const found = await Promise.all(
        others.map(({ detector, timeLimitMs }) =>
          runDetectors([detector], { text }, { timeLimitMs, now: () => performance.now() }),
        ),
      )
      // Offsets in the masked text don't match the original.
      return found.flat().map((finding) => ({ ...finding, start: 0, end: 0 }))
    } catch (error) {
      return others.map(({ detector }) => failed(detector.name, messageOf(error)))
    }
  }
  const scan: GuardOptions['scan'] = (texts, threshold) => {
    const own = scanBuiltIn(texts)
    if (options.settings().guardDetectors.length === 0 && !(own instanceof Promise))
      return judge(own, threshold)
    return Promise.all([own, scanElsewhere(texts)]).then((found) => judge(found.flat(), threshold))
  }
  const scanRead = (
    { texts, unreadable }: ReadResult,
    threshold: number,
    most: number,
  ): JudgedResult | Promise<JudgedResult> => {
    if (sizeOf(texts) > most) return { verdict: undefined, unreadable }
    const verdict = scan(texts, threshold)
    return verdict instanceof Promise
      ? verdict.then((judged) => ({ verdict: judged, unreadable }))
      : { verdict, unreadable }
  }
  const scanLarge = async (value: JsonObject, threshold: number, most: number): Promise<JudgedResult> => {
    const { findings, unreadable, isTooLarge } = await scanResultInWorker(workers, value, most)
    return { verdict: isTooLarge ? undefined : judge(findings, threshold), unreadable }
  }
  return {
    logger,
    scan,
    scanResult: (value, threshold, most) => {
      const isLarge = !isNear('scan', value) && options.settings().guardDetectors.length === 0
      const plain = readPlainText(value)
      if (isLarge && !plain) return scanLarge(value, threshold, most)
      const read = plain ?? readResultInTurns(value)
      return read instanceof Promise
        ? read.then((texts) => scanRead(texts, threshold, most))
        : scanRead(read, threshold, most)
    },
    scanNow: (texts, threshold) => judge(inline.scanNow(texts), threshold),
    revealLarge: async (value, mode) =>
      (await workers.run('reveal', { value, mode })) ?? { value, taken: undefined, marked: undefined },
    keepOriginal: async (result, { clientName: owner, serverId: server, tool }) =>
      (await results.put({ owner, server, tool, result })).id,
    whenLoaded: (then) => inline.whenLoaded(then),
    quarantine: (entry) => quarantine.put(entry),
    onAttack: (attack) => {
      const what = attack.isUnscanned ? 'could not be scanned' : 'looks like an attack on the model'
      logger.warn(`a text ${what}`, {
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

const sizeOf = (texts: readonly PlacedText[]): number => texts.reduce((sum, { text }) => sum + text.length, 0)

const builtInFailed = (error: unknown): Finding => failed('built-in', messageOf(error))

const shortened = (text: string): string =>
  text.length <= SENT_CHARACTERS
    ? text
    : `${text.slice(0, SENT_CHARACTERS / 2)}\n…\n${text.slice(-SENT_CHARACTERS / 2)}`

export const createGuardText =
  (scan: GuardOptions['scan']) =>
  async (text: string, threshold: number): Promise<string | undefined> => {
    const clean = cleanText(text, 'strip')
    const { verdict } = await scan([{ path: '', text: clean }], threshold)
    return verdict === 'benign' ? clean : undefined
  }
