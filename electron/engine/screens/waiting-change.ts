import type { WaitingChange } from '../../../shared/api/approvals.ts'
import { describeChange } from '../approvals/describe-change.ts'
import type { PendingChange } from '../approvals/pin.ts'
import { cleanText } from '../guardrails/control-characters.ts'
import type { ChangeFinding } from '../guardrails/scan-change.ts'
import { markSecrets } from './secret-marks.ts'

export function waitingChange(change: PendingChange, findings: readonly ChangeFinding[]): WaitingChange {
  const readable = describeChange(withoutSecrets(change), (text) => cleanText(text, 'visualise'))
  const { hash, kind, name, denied, places } = readable
  return {
    hash,
    identity: change.identity,
    server: change.serverId,
    kind,
    name,
    change: readable.change,
    denied,
    places: places.map(({ path, runs }) => ({ path, runs: [...runs] })),
    findings: [...findings],
  }
}

/** A launch may have secrets in arguments and address. */
export function withoutSecrets(change: PendingChange): PendingChange {
  if (change.kind !== 'server') return change
  const mark = (definition: string): string => {
    // Variables are pinned without secrets, so all values are shown.
    const { values, ...launch } = JSON.parse(definition) as Record<string, unknown>
    const shown = markSecrets(launch, ['servers', change.serverId])
    return JSON.stringify(values === undefined ? shown : { ...shown, values })
  }
  return {
    ...change,
    definition: mark(withNames(change.definition)),
    before: change.before === undefined ? undefined : mark(withNames(change.before)),
  }
}

/** Names of variables and headers aren't secrets: readable as keys. */
function withNames(definition: string): string {
  const { env, headers, ...launch } = JSON.parse(definition) as Record<string, unknown>
  return JSON.stringify({ ...launch, variables: env, headerNames: headers })
}
