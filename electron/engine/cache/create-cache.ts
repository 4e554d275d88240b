import { join } from 'node:path'
import type { SettingsStore } from '../settings/settings-store.ts'
import { settledHash } from '../protocol/definition-hash.ts'
import { cacheMigrations } from './cache-migrations.ts'
import { CacheStore } from './cache-store.ts'
import { keyOf } from './call-key.ts'
import { createChanges } from './changes.ts'
import { normaliseGoal } from './normalise-goal.ts'
import { createReferBack } from './refer-back.ts'
import { createRetries } from './retries.ts'
import { createReuseForm } from './reuse-form.ts'
import { createReuseResult } from './reuse-result.ts'
import { watchLinks } from './watch-links.ts'
import type { ToolCall } from '../message/call.ts'
import type { Layer } from '../message/layers.ts'
import { namesFile } from '../settings/known-apps.ts'
import { endingOfCall, goalOfCall, requestOfCall } from '../message/goal-of-call.ts'
import { LOCK_MS, openDatabaseOrMemory } from '../ground/database/database.ts'
import { messageOf } from '../ground/errors.ts'
import type { Events } from '../ground/events.ts'
import type { Logger } from '../ground/logger.ts'
import { parseLargeIn } from '../work/parse-large.ts'
import { isNear } from '../work/near.ts'
import { countTokensOf } from '../work/count-tokens-of.ts'
import { packSmallResult } from '../work/pack-result.ts'
import type { ResultStore } from '../results/store.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

export type Cache = ReturnType<typeof createCache>

export function createCache(options: {
  readonly dataDir: string
  readonly settings: Pick<SettingsStore, 'current'>
  readonly results: ResultStore
  readonly workers: WorkerPool
  readonly events: Pick<Events, 'on'>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** What the model of this call has seen; undefined where that can't be known. */
  readonly contextOf: (call: ToolCall) => string | undefined
  /** Unix milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}) {
  const { settings, results, workers, version, now, logger } = options
  const path = join(options.dataDir, 'cache.db')
  const store = new CacheStore({
    path,
    open: () =>
      // No integrity check on opening, because it would read the whole file; damage shows on use.
      openDatabaseOrMemory({
        path,
        logger,
        now,
        migrations: cacheMigrations,
        isChecked: false,
        lockMs: LOCK_MS,
      }),
    limits: () => settings.current.cacheLimits,
    now,
    logger,
  })
  const changes = createChanges({ store, logger })
  options.events.on('session-closed', ({ sessionId }) => changes.endSession(sessionId))
  const links = watchLinks({ env: options.env, onChange: changes.serverChanged })
  const parseLarge = parseLargeIn(workers)
  const packing = {
    pack: async (value: Parameters<typeof packSmallResult>[0]) =>
      isNear('pack-result', value) ? packSmallResult(value) : workers.run('pack-result', value),
    parse: (bytes: Uint8Array) => parseLarge([bytes]),
  }

  /** Undefined without a canonical form, such as half a surrogate pair: not cached. */
  const named = (everything: () => Readonly<Record<string, unknown>>): string | undefined => {
    try {
      return keyOf(everything())
    } catch (error) {
      logger.debug('a call has no name in the cache', { cause: messageOf(error) })
      return undefined
    }
  }
  const resultKeys = new WeakMap<ToolCall, string | undefined>()
  const resultKey = (call: ToolCall): string | undefined => {
    if (call.asker === undefined || call.definition === undefined) return undefined
    if (resultKeys.has(call)) return resultKeys.get(call)
    const { serverId, tool, clientName, sessionId, policy, asker } = call
    const key = named(() => ({
      version,
      server: serverId,
      tool,
      definition: settledHash(call.definition ?? {}),
      arguments: call.arguments ?? null,
      client: clientName,
      asker,
      state: changes.stateOf(call),
      guard: { ...policy.guard, detectors: settings.current.guardDetectors },
      // Placeholders belong to the session with the values.
      masking: policy.masking.direction === 'off' ? null : { ...policy.masking, sessionId },
    }))
    resultKeys.set(call, key)
    return key
  }
  const formKey = async (call: ToolCall, sha256: string): Promise<string | undefined> => {
    const [goal, request] = [goalOfCall(call), requestOfCall(call)]
    // With the word lists of all languages: most calls have no goal.
    const stemOf = goal || request ? (await import('../text/words/stem.ts')).stemOf : undefined
    const { serverId, tool, clientName, policy, escalation, budgetStep, definition, builtIn } = call
    return named(() => ({
      version,
      sha256,
      server: serverId,
      tool,
      client: clientName,
      definition: settledHash(definition ?? {}),
      goal: stemOf ? normaliseGoal(goal, stemOf) : '',
      request: stemOf ? normaliseGoal(request, stemOf) : '',
      ending: endingOfCall(call) ?? null,
      compression: policy.compression,
      guard: policy.guard,
      escalation: escalation ?? null,
      ...(builtIn === undefined ? {} : { builtIn }),
      budget: budgetStep ?? null,
      file: namesFile(settings.current.results.pathInHeader, clientName)
        ? results.readablePathOf(sha256)
        : null,
      model: settings.current.model,
    }))
  }

  const { reuseResult, find } = createReuseResult({
    ...packing,
    store,
    changes,
    keyOf: resultKey,
    now,
    logger,
  })
  const { once, answerAgain } = createReuseForm({
    ...packing,
    store,
    findResult: find,
    keyOf: formKey,
    keptUntil: (id, owner, sha256) => {
      const kept = results.find(id, owner)
      return kept?.sha256 === sha256 ? kept.expires : undefined
    },
    now,
    logger,
  })
  const { escalate, forgetAll } = createRetries({
    keyOf: ({ sessionId, serverId, tool, arguments: args }) =>
      named(() => ({ sessionId, serverId, tool, arguments: args ?? null })),
    clock: () => performance.now(),
  })
  const referBack = createReferBack({
    contextOf: options.contextOf,
    keyOf: ({ serverId, tool, arguments: args }, context) =>
      named(() => ({ context, serverId, tool, arguments: args ?? null })),
    keep: async ({ clientName, serverId, tool }, result) =>
      (await results.put({ owner: clientName, server: serverId, tool, result })).id,
    countTokens: countTokensOf(workers),
    clock: () => performance.now(),
    logger,
  })
  return {
    store,
    referBack,
    escalate,
    answerAgain,
    reuseResult,
    once,
    watchLinks: links.watch,
    askerOf: links.askerOf,
    /** What a server answers after a request to its client depends on that session. */
    noteQuestion: ((next) => (question) => {
      const { sessionId, serverId } = question.origin
      if (question.method !== 'roots/list') changes.asked(sessionId, serverId)
      return next(question)
    }) satisfies Layer['question'],
    /** Settings changed: outdates these servers' results. */
    serversChanged: (servers: readonly string[]): void => {
      forgetAll()
      for (const server of servers) changes.serverChanged(server)
    },
    close: () => store.close(),
  }
}
