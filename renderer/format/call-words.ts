import type { CallSummary } from '../../shared/api/activity.ts'

const layers: Readonly<Record<string, string>> = {
  'require-approval': 'not approved',
  'guard-result': 'quarantined',
  'watch-flow': "another server's text",
  'shape-arguments': 'hidden tool',
}

/** If known. */
export const noteOf = ({ note }: Pick<CallSummary, 'note'>): string | undefined =>
  note === undefined ? undefined : (layers[note] ?? note)

export const outcomeWords: Readonly<Record<CallSummary['outcome'], string>> = {
  ok: 'answered',
  error: 'failed',
  refused: 'blocked',
  cancelled: 'cancelled',
}

export const layerWords: Readonly<Record<string, string>> = {
  'record-call': 'recording it',
  'trace-call': 'tracing it',
  'hide-from-server': 'masking for the server',
  'keep-trace': 'keeping it for this screen',
  'require-approval': 'comparing with what is approved',
  'insert-references': 'inserting kept results',
  'add-goal': 'reading the goal',
  'watch-flow': 'following texts and secrets in the arguments',
  'shape-arguments': 'shaping the arguments',
  'refer-back': 'referring to an earlier result',
  'apply-budget': 'choosing the budget',
  escalate: 'giving more to a repeated call',
  'hold-out': 'choosing the group of a trial',
  'guard-shortened': 'scanning what is left',
  'answer-again': 'looking for the same answer',
  'compress-result': 'shortening',
  'reuse-result': 'looking in the cache',
  'guard-result': 'scanning for attacks',
  'hide-from-model': 'masking for the model',
  'trace-upstream': 'tracing the server',
}
