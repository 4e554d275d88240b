import type { GuardDetector } from '../../../shared/guard-policy.ts'
import type { Detector } from './detector.ts'
import { createHttpDetector } from './http-detector.ts'
import { createModelJudge } from './model-judge.ts'
import { fetchWithPlaceholders, type PlaceholderSources } from '../ground/secrets/placeholder-values.ts'

export interface OtherDetector {
  readonly detector: Detector
  readonly timeLimitMs: number
}

export const detectorName = ({ name }: GuardDetector): string => `The detector "${name}" of guardDetectors`

/** Mask before: texts leave the machine. */
export const createOtherDetectors = (
  settings: readonly GuardDetector[],
  options: PlaceholderSources & { readonly fetch: typeof fetch },
): OtherDetector[] =>
  settings.map((each) => {
    const fetch = fetchWithPlaceholders(options.fetch, options, detectorName(each))
    return { detector: toDetector(each, fetch), timeLimitMs: each.timeoutMs }
  })

const toDetector = (settings: GuardDetector, fetch: typeof globalThis.fetch): Detector =>
  settings.type === 'model'
    ? createModelJudge({ ...settings, apiKey: settings.apiKey, fetch })
    : createHttpDetector({ ...settings, headers: settings.headers, fetch })
