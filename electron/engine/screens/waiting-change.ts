import type { WaitingChange } from '../../../shared/api/approvals.ts'
import { describeChange } from '../approvals/describe-change.ts'
import type { PendingChange } from '../approvals/pin.ts'
import { cleanText } from '../guardrails/control-characters.ts'
import type { ChangeFinding } from '../guardrails/scan-change.ts'
import { markSecrets } from './secret-marks.ts'

/** Something that waits for a yes, as a person can judge it. */
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

/** How a server is launched may hold secrets in its arguments and its address. */
export function withoutSecrets(change: PendingChange): PendingChange {
  if (change.kind !== 'server') return change
  const mark = (definition: string): string => {
    // Values of variables are pinned without secrets, whatever the variable is called: all of what is pinned is shown.
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

/** A launch lists the names of its variables and headers, which are no secrets: as keys they stay readable. */
function withNames(definition: string): string {
  const { env, headers, ...launch } = JSON.parse(definition) as Record<string, unknown>
  return JSON.stringify({ ...launch, variables: env, headerNames: headers })
}
