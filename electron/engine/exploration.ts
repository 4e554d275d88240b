import { BUILT_IN_POLICY } from '../../shared/settings.ts'
import { messageOf } from './errors.ts'
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
}): ExplorationTools {
  const { results, workers, ledger, settings, now, logger } = options
  const budget = (): number =>
    settings.current.compression?.maxOutputTokens ?? BUILT_IN_POLICY.compression.maxOutputTokens
  return {
    definitions: explorationToolDefinitions,
    has: isExplorationTool,
    call: async (name, args, { clientName, signal, callFresh }) => {
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
      return result
    },
  }
}
