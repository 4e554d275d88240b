import { BUILT_IN_POLICY } from '../../../shared/policy.ts'
import { countTokensOf } from '../work/count-tokens-of.ts'
import { messageOf, SluiceError } from '../ground/errors.ts'
import type { GuardPolicy } from '../../../shared/guard-policy.ts'
import type { GuardedOrigin } from '../message/origins.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Logger } from '../ground/logger.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { callExplorationTool, explorationToolDefinitions, isExplorationTool } from './exploration-tools.ts'
import type { ResultStore } from './store.ts'
import type { ExplorationTools } from '../message/exploration-tools.ts'
import { policyOfStored } from './stored-policy.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

export interface OwnTool {
  readonly name: string
  readonly definition: JsonObject
  call(args: JsonObject | undefined, clientName: string): Promise<JsonObject>
}

export function createExploration(options: {
  results: ResultStore
  workers: WorkerPool
  ledger: Ledger
  settings: SettingsStore
  now: () => number
  logger: Logger
  release: OwnTool
  guardExplored: (value: JsonObject, origin: GuardedOrigin, policy: GuardPolicy) => Promise<JsonObject>
}): ExplorationTools {
  const { results, workers, ledger, settings, release, guardExplored, now, logger } = options
  const budget = (): number =>
    settings.current.compression?.maxOutputTokens ?? BUILT_IN_POLICY.compression.maxOutputTokens
  /** Parts of results too large to scan whole leave here for the first time. */
  const guarded = async (
    result: JsonObject,
    { id, tool, arguments: args, clientName }: Explored,
  ): Promise<JsonObject> => {
    try {
      const stored = id === undefined ? NOTHING_STORED : results.get(id, clientName)
      const policy = policyOfStored(settings.current, stored)
      const origin = { clientName, serverId: stored.server || 'sluice', tool, arguments: args }
      return await guardExplored(result, origin, policy.guard)
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      return { content: [{ type: 'text', text: error.message }], isError: true }
    }
  }
  return {
    definitions: () => [...explorationToolDefinitions(), release.definition],
    has: (name) => isExplorationTool(name) || name === release.name,
    call: async (name, args, { clientName, signal, callFresh }) => {
      if (name === release.name) return release.call(args, clientName)
      const { result, tokens, resultId, isOwnError } = await callExplorationTool(name, args, {
        owner: clientName,
        store: results,
        pool: workers,
        countTokens: countTokensOf(workers),
        budget: budget(),
        callFresh,
        signal,
      })
      ledger
        .recordFetch({ at: now(), client: clientName, resultId: resultId ?? '', tool: name, tokens })
        .catch((error: unknown) =>
          logger.error('What was fetched back could not be booked.', { tool: name, cause: messageOf(error) }),
        )
      return isOwnError ? result : guarded(result, { id: resultId, tool: name, arguments: args, clientName })
    },
  }
}

interface Explored {
  readonly id: string | undefined
  readonly tool: string
  readonly arguments: JsonObject | undefined
  readonly clientName: string
}

const NOTHING_STORED = { server: '', tool: '' }
