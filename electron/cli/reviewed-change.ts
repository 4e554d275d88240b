import { describeChange, type ReadableChange } from '../engine/approvals/describe-change.ts'
import type { PendingChange } from '../engine/approvals/pin.ts'
import { cleanText } from '../engine/guardrails/control-characters.ts'
import { withoutSecrets } from '../engine/screens/waiting-change.ts'
import type { ChangeFinding, ScanChange } from '../engine/guardrails/scan-change.ts'

export interface ReviewedChange extends ReadableChange {
  readonly identity: string
  readonly findings: readonly ChangeFinding[]
  readonly definition: unknown
}

export const reviewedChange = async (
  change: PendingChange,
  scanChange: ScanChange,
  foreignTools: readonly string[],
): Promise<ReviewedChange> => {
  const shown = withoutSecrets(change)
  return {
    ...describeChange(shown, (text) => cleanText(text, 'visualise')),
    identity: change.identity,
    findings: await scanChange(change, foreignTools),
    definition: JSON.parse(shown.definition) as unknown,
  }
}
