import type { Settings } from '../../../shared/settings.ts'
import type { GuardPolicy } from '../../../shared/guard-policy.ts'
import type { Events } from '../ground/events.ts'
import type { ToolCall } from '../message/call.ts'
import type { Layer } from '../message/layers.ts'
import type { GuardedOrigin } from '../message/origins.ts'
import { isNear } from '../work/near.ts'
import type { WorkerPool } from '../work/worker-pool.ts'
import { unpackResult } from './pack-result.ts'
import { createInsertReferences } from './references/insert-references.ts'
import { policyOfStored } from './stored-policy.ts'
import type { ResultStore } from './store.ts'

/** Arguments that name kept results. */
export function createReferences(options: {
  readonly results: ResultStore
  readonly workers: Pick<WorkerPool, 'run'>
  readonly settings: { readonly current: Settings }
  readonly events: Pick<Events, 'on'>
  /** Throws CALL_REFUSED for what would be quarantined. */
  readonly guardReferred: (text: string, origin: GuardedOrigin, policy: GuardPolicy) => Promise<void>
  readonly masking: {
    readonly asSent: (texts: readonly string[], call: ToolCall) => Promise<readonly string[]>
  }
}): Layer {
  const { results, workers, settings, events, guardReferred, masking } = options
  return {
    call: createInsertReferences({
      isOn: () => settings.current.results.references,
      find: (id, owner) => results.get(id, owner),
      read: async (stored, part, signal) => {
        const source = results.source(stored)
        if (isNear('unpack-result', stored.size)) {
          const { readReferenceIn } = await import('./result-explorer.ts')
          return readReferenceIn(await unpackResult(source), part)
        }
        const affinity = { affinity: stored.sha256, size: stored.size }
        return workers.run('read-reference', { ...part, source }, { signal, ...affinity })
      },
      scan: (text, origin, stored) =>
        guardReferred(text, origin, policyOfStored(settings.current, stored).guard),
      mask: masking.asSent,
      onSessionClosed: (listener) => events.on('session-closed', ({ sessionId }) => listener(sessionId)),
    }),
  }
}
