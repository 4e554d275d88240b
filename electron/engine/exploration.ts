import { BUILT_IN_POLICY } from '../../shared/settings.ts'
import type { GuardPolicy } from '../../shared/guard-policy.ts'
import { messageOf } from './errors.ts'
import type { Guard } from './guardrails/guard-result.ts'
import type { QuarantineStore } from './guardrails/quarantine-store.ts'
import { RELEASE_TOOL, releaseTool, takeReleased } from './guardrails/release-tool.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Logger } from './logger.ts'
import {
  callExplorationTool,
  explorationToolDefinitions,
  isExplorationTool,
} from './results/exploration-tools.ts'
import type { ResultStore } from './results/store.ts'
import type { ExplorationTools } from './session/session-dependencies.ts'
import type { SettingsStore } from './settings/settings-store.ts'
import type { WorkerPool } from './worker-pool.ts'

/** The exploration tools as sessions use them: over the store, in a worker, every answer booked as fetched back. */
export function createExploration(options: {
  results: ResultStore
  workers: WorkerPool
  ledger: Ledger
  settings: SettingsStore
  now: () => number
  logger: Logger
  quarantine: QuarantineStore
  guard: Guard
}): ExplorationTools {
  const { results, workers, ledger, settings, quarantine, guard, now, logger } = options
  const budget = (): number =>
    settings.current.compression?.maxOutputTokens ?? BUILT_IN_POLICY.compression.maxOutputTokens
  const guardPolicy = (): GuardPolicy => ({ ...BUILT_IN_POLICY.guard, ...settings.current.guard })
  return {
    definitions: [...explorationToolDefinitions, releaseTool],
    has: (name) => isExplorationTool(name) || name === RELEASE_TOOL,
    call: async (name, args, { clientName, signal, callFresh }) => {
      if (name === RELEASE_TOOL) return takeReleased(quarantine, args, clientName)
      const { result, tokens, resultId } = await callExplorationTool(name, args, {
        owner: clientName,
        store: results,
        pool: workers,
        budget: budget(),
        callFresh,
        signal,
      })
      try {
        ledger.recordFetch({ at: now(), client: clientName, resultId: resultId ?? '', tool: name, tokens })
      } catch (error) {
        logger.error('What was fetched back could not be booked.', { tool: name, cause: messageOf(error) })
      }
      // Parts of results that were too large to be scanned whole leave here for the first time.
      const origin = { clientName, serverId: 'sluice', tool: name, arguments: args }
      return guard.guardContent(result, origin, guardPolicy())
    },
  }
}
