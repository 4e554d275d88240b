import type { Settings } from '../../../shared/settings.ts'
import { messageOf } from '../../engine/ground/errors.ts'
import { detectorName } from '../../engine/guardrails/other-detectors.ts'
import {
  withPlaceholderValues,
  type PlaceholderSources,
} from '../../engine/ground/secrets/placeholder-values.ts'
import type { Finding } from './finding.ts'
import { problem } from './finding.ts'

/** A detector with a wrong key rejects every result. */
export async function checkDetectors(
  { guardDetectors }: Settings,
  sources: PlaceholderSources,
): Promise<Finding[]> {
  const findings = guardDetectors.map(async (detector): Promise<Finding[]> => {
    const written =
      detector.type === 'model' ? [detector.apiKey ?? ''] : Object.values(detector.headers ?? {})
    try {
      for (const text of written) await withPlaceholderValues(text, sources, detectorName(detector))
      return []
    } catch (error) {
      return [problem('guard', messageOf(error))]
    }
  })
  return (await Promise.all(findings)).flat()
}
