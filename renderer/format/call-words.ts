import type { CallSummary } from '../../shared/api/activity.ts'

/** What the ledger notes as the layer that refused, in words. */
const layers: Readonly<Record<string, string>> = {
  'require-approval': 'not approved',
  'guard-result': 'quarantined',
  'shape-arguments': 'hidden tool',
}

/** Why a call ended as it did, where that is known. */
export const noteOf = ({ note }: Pick<CallSummary, 'note'>): string | undefined =>
  note === undefined ? undefined : (layers[note] ?? note)

/** How a call ended. */
export const outcomeWords: Readonly<Record<CallSummary['outcome'], string>> = {
  ok: 'answered',
  error: 'failed',
  refused: 'blocked',
  cancelled: 'cancelled',
}
