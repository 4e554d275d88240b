import { z } from 'zod'
import { SluiceError } from '../ground/errors.ts'
import type { Detector, Finding } from './detector.ts'

const Answer = z.looseObject({
  findings: z.array(
    z.looseObject({
      score: z.number().min(0).max(1),
      reason: z.string(),
      start: z.int().nonnegative().optional(),
      end: z.int().nonnegative().optional(),
    }),
  ),
})

export interface HttpDetectorOptions {
  readonly name: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly timeoutMs: number
  readonly fetch: typeof fetch
}

/**
 * For example LlamaFirewall: receives `{text}` or `{definition}`, answers `{findings: [{score, reason, start?,
 * end?}]}`. Rejects other answers, which count as a finding.
 */
export function createHttpDetector({ name, url, headers, timeoutMs, fetch }: HttpDetectorOptions): Detector {
  const post = async (body: object): Promise<Finding[]> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      // The text is for this address only.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) {
      throw new SluiceError('CALL_REFUSED', `The detector "${name}" at ${url} answered ${response.status}.`)
    }
    const { findings } = Answer.parse(await response.json())
    return findings.map(({ score, reason, start = 0, end = 0 }) => ({
      detector: name,
      kind: 'reads-like-an-attack',
      score,
      start,
      end,
      reason,
    }))
  }
  return {
    name,
    scanText: (text) => post({ text }),
    scanDefinition: ({ type, name: definitionName, value }) =>
      post({ definition: { type, name: definitionName, value } }),
  }
}
