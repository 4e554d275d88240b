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
  'record-call': 'booking it',
  'trace-call': 'tracing it',
  'hide-from-server': 'masking for the server',
  'keep-trace': 'keeping it for this screen',
  'require-approval': 'comparing with what is approved',
  'watch-flow': 'looking whose text and secrets are in the arguments',
  'shape-arguments': 'shaping the arguments',
  'guard-shortened': 'scanning what is left',
  'compress-result': 'shortening',
  'guard-result': 'scanning for attacks',
  'hide-from-model': 'masking for the model',
}
