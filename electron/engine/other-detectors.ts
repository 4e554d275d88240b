import type { GuardDetector } from '../../shared/guard-policy.ts'
import type { Detector } from './guardrails/detector.ts'
import { createHttpDetector } from './guardrails/http-detector.ts'
import { createModelJudge } from './guardrails/model-judge.ts'

export interface OtherDetector {
  readonly detector: Detector
  readonly timeLimitMs: number
}

/** The detectors of the settings, ready to be asked. What goes to them leaves the machine: mask it before. */
export const createOtherDetectors = (
  settings: readonly GuardDetector[],
  options: {
    /** For `${env:NAME}` in keys and headers. */
    readonly env: Readonly<Record<string, string | undefined>>
    readonly fetch: typeof fetch
  },
): OtherDetector[] =>
  settings.map((each) => ({ detector: toDetector(each, options), timeLimitMs: each.timeoutMs }))

function toDetector(
  settings: GuardDetector,
  { env, fetch }: Parameters<typeof createOtherDetectors>[1],
): Detector {
  const expand = (text: string): string =>
    text.replaceAll(/\$\{env:([^}]*)\}/g, (_, name: string) => env[name] ?? '')
  if (settings.type === 'model') {
    const apiKey = settings.apiKey === undefined ? undefined : expand(settings.apiKey)
    return createModelJudge({ ...settings, apiKey, fetch })
  }
  const headers = Object.fromEntries(
    Object.entries(settings.headers ?? {}).map(([name, value]) => [name, expand(value)]),
  )
  return createHttpDetector({ ...settings, headers, fetch })
}
