import type { PendingChange } from './approvals/pin-store.ts'
import type { PinnedKind } from './approvals/pinned-item.ts'
import { cleanValue } from './guardrails/clean-value.ts'
import { cleanText } from './guardrails/control-characters.ts'
import type { Definition } from './guardrails/detector.ts'

/** Something a detector noticed in a definition that waits for approval. */
export interface ChangeFinding {
  /** JSON pointer of the text within the definition. */
  readonly path: string
  readonly reason: string
  /** 0 to 1. */
  readonly score: number
}

const TYPES: Partial<Record<PinnedKind, Definition['type']>> = {
  instructions: 'instructions',
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  template: 'resource-template',
}
/** Weaker findings explain nothing. */
const WORTH_NAMING = 0.2

/**
 * What the built-in detectors notice in a definition that waits for approval. `foreignTools` are names of other servers'
 * tools, which it has no business with.
 */
export async function scanChange(
  change: PendingChange,
  foreignTools: readonly string[],
): Promise<ChangeFinding[]> {
  const type = TYPES[change.kind]
  if (type === undefined || change.change === 'removed') return []
  // Loaded when first needed: most commands and sessions never look at a change.
  const [{ createBuiltInDetectors }, { readGuardModel }] = await Promise.all([
    import('./guardrails/scan-text.ts'),
    import('./guardrails/guard-model.ts'),
  ])
  const value: unknown = JSON.parse(change.definition)
  // As it came, and as it reads without what hides words from detectors.
  const shown = cleanValue(value, 'strip')
  const found = createBuiltInDetectors(readGuardModel())
    .flatMap((detector) =>
      (shown === value ? [value] : [value, shown]).flatMap((each) =>
        detector.scanDefinition({ type, name: change.name, value: each, foreignTools }),
      ),
    )
    .filter((finding) => finding.score >= WORTH_NAMING)
    .map(({ path = '', reason, score }) => ({ path, reason: cleanText(reason, 'visualise'), score }))
  return [...new Map(found.map((finding) => [`${finding.path} ${finding.reason}`, finding])).values()]
}
