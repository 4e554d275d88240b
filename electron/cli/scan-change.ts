import type { PendingChange } from '../engine/approvals/pin-store.ts'
import type { PinnedKind } from '../engine/approvals/pinned-item.ts'
import { cleanText } from '../engine/guardrails/control-characters.ts'
import type { Definition } from '../engine/guardrails/detector.ts'
import type { ChangeFinding } from './format-change.ts'

const TYPES: Partial<Record<PinnedKind, Definition['type']>> = {
  instructions: 'instructions',
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  template: 'resource-template',
}

/** What the built-in detectors notice in a definition that waits for approval. */
export async function scanChange(change: PendingChange): Promise<ChangeFinding[]> {
  const type = TYPES[change.kind]
  if (type === undefined || change.change === 'removed') return []
  const [{ createBuiltInDetectors }, { readGuardModel }] = await Promise.all([
    import('../engine/guardrails/scan-text.ts'),
    import('../engine/guardrails/guard-model.ts'),
  ])
  const value: unknown = JSON.parse(change.definition)
  return createBuiltInDetectors(readGuardModel())
    .flatMap((detector) => detector.scanDefinition({ type, name: change.name, value }))
    .filter((finding) => finding.score >= 0.2)
    .map(({ path = '', reason, score }) => ({ path, reason: cleanText(reason, 'visualise'), score }))
}
