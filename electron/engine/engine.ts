import { createApprovals } from './approvals/create-approvals.ts'
import { requireApproval } from './approvals/require-approval.ts'
import { createCache, type Cache } from './cache/create-cache.ts'
import { nodeClientFiles } from './client-configs/node-client-files.ts'
import { hookFiles } from './client-configs/hooks/hook-files.ts'
import { wrappedClients } from './client-configs/wrapped-clients.ts'
import { createClientNames } from './clients/session/client-names.ts'
import type { GraceOptions } from './clients/session/grace.ts'
import { createOpenSession } from './clients/session/open-session.ts'
import { readOffer } from './clients/session/read-offer.ts'
import { typedCommand } from './clients/typed-command.ts'
import { createCompression } from './compression/create-compression.ts'
import { createGoals, type Conversations } from './goals/create-goals.ts'
import type { Database } from './ground/database/database.ts'
import { createGuard } from './guardrails/create-guard.ts'
import { createHooks } from './hooks/create-hooks.ts'
import { createBooking } from './ledger/create-booking.ts'
import { openRecords } from './ledger/records.ts'
import { createMasking } from './masking/create-masking.ts'
import { createCallTraces } from './message/call-traces.ts'
import type { Layer } from './message/layers.ts'
import { passMessages } from './message/pass-messages.ts'
import { createLoadModels, type LoadModels } from './models/create-models.ts'
import type { ForkModelProcess } from './models/local/model-process.ts'
import { createExploration } from './results/create-exploration.ts'
import { createReferences } from './results/create-references.ts'
import { createResults } from './results/create-results.ts'
import type { EngineParts, ScreensOptions } from './screens/screens-options.ts'
import { createWaysIn, type WaysIn } from './screens/ways-in.ts'
import { createServerConnections } from './servers/create-servers.ts'
import { createLookAtServer } from './servers/look-at-server.ts'
import { watchSleep } from './servers/watch-sleep.ts'
import { keepHouse } from './settings/keep-house.ts'
import { openGround, type GroundOptions } from './settings/open-ground.ts'
import { forSessions } from './settings/settings-store.ts'
import { loadSummarise } from './summaries/create-summarise.ts'
import { createTelemetry } from './telemetry/create-telemetry.ts'
import { shapeArguments } from './tools/shape-arguments.ts'
import { countTokensOf } from './work/count-tokens-of.ts'

export interface EngineOptions extends GroundOptions, GraceOptions {
  /** `dist/renderer`; without it HTTP serves clients only. */
  readonly screensFolder?: string
  /** For clients' configurations; without it screens don't change them. */
  readonly launcher?: ScreensOptions['launcher']
  /** Default: this Node. */
  readonly forkModelProcess?: ForkModelProcess
  /** Default: 1,500. */
  readonly hookAnswerMs?: number
  /** Of the desktop app, if any. */
  readonly desktop?: ScreensOptions['desktop']
}

export interface Engine extends Omit<WaysIn, 'close'>, EngineParts {
  readonly database: Database
  readonly models: LoadModels
  readonly cache: Cache
  /** What apps' hooks tell of their sessions. */
  readonly conversations: Conversations
  /** After sleep: timers and watches may have stopped. */
  wake(): void
  /** Ends all sessions and their servers, then the stores. Idempotent; resolves when every end is confirmed. */
  close(): Promise<void>
}

/** Composition root: all parts get what they need from here only. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const opened = new AsyncDisposableStack()
  try {
    return await openEngine(options, opened)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** `opened` closes the parts in reverse: ways in, sessions, servers, models, last bookings, stores. */
async function openEngine(options: EngineOptions, opened: AsyncDisposableStack): Promise<Engine> {
  const ground = await openGround(options, opened)
  const { dataDir, logger, now, events, settings, mainSwitch, policies, workers } = ground
  const closing = <Part extends { close(): void | Promise<void> }>(part: Part): Part =>
    opened.adopt(part, (one) => one.close())

  const records = closing(openRecords(ground))
  const { database, ledger, budgets, hasLargeResults } = records
  const results = createResults({ ...ground, ...records })
  const clock = performance.now.bind(performance)
  const goals = createGoals({ ...ground, clock })
  const cache = closing(createCache({ ...ground, ...goals, results }))
  const { masking, ...remoteMasking } = await createMasking({ ...ground, database })
  const guard = createGuard({ ...ground, ...remoteMasking, database, results })
  const { forkModelProcess: fork } = options
  const models = createLoadModels({ ...ground, fork, countTokens: countTokensOf(workers) })
  const readingTimes = () => import('./models/text-model.ts')
  const summarise = loadSummarise({ ...ground, ...remoteMasking, ...guard, models, readingTimes })
  const booking = createBooking({ ...ground, ...records, ...goals })
  const compression = createCompression({ ...ground, ...records, ...cache, ...booking, results, summarise })
  const traces = createCallTraces({ clock, ...booking, keepSent: results.keepSent })
  const telemetry = closing(createTelemetry(ground))
  // Before the stores, so that no job or settings change reaches a closed one.
  for (const part of [workers, mainSwitch, settings]) opened.defer(() => part.close())
  /** Layers, outermost first. Guards fail closed, savings fail open: docs/architecture.md. */
  const layers: Readonly<Record<string, Layer>> = {
    'record-call': { call: booking.recordCall },
    'trace-call': { call: telemetry.traceCall },
    'hide-from-server': masking.hideFromServer,
    'keep-trace': { call: traces.keepTrace },
    'require-approval': { call: requireApproval },
    'insert-references': createReferences({ ...ground, ...guard, results, masking }),
    'add-goal': goals.addGoal,
    'watch-flow': guard.watchFlow,
    'shape-arguments': { call: shapeArguments },
    'refer-back': policies.pausable({ call: cache.referBack }),
    'apply-budget': budgets.applyBudget,
    escalate: policies.pausable({ call: cache.escalate }),
    'hold-out': policies.pausable(compression.holdOut),
    'guard-shortened': guard.guardShortened,
    'answer-again': policies.pausable({ call: cache.answerAgain }),
    'compress-result': policies.pausable(compression.compressResult),
    'reuse-result': { call: cache.reuseResult },
    'guard-result': guard.guardResult,
    'hide-from-model': masking.hideFromModel,
    'trace-upstream': { call: telemetry.traceUpstream },
    'note-question': { question: cache.noteQuestion },
  }
  const passage = passMessages(layers, { policies, timed: traces.timedLayers, timedCall: traces.timed })

  const servers = closing(createServerConnections({ ...ground, watchLinks: cache.watchLinks }))
  const approvals = closing(createApprovals({ ...ground, scan: guard.scanChange }))
  // Before the sessions.
  servers.restarts.subscribe(({ restarted, removed }) => cache.serversChanged([...restarted, ...removed]))
  const lookAtServer = createLookAtServer({ ...ground, openLink: servers.openNow, approvals, readOffer })
  const ends = [() => booking.finish(), () => models.close(), () => servers.closeShared()]
  for (const end of ends) opened.defer(end)
  const sessions = closing(
    createOpenSession({
      ...options,
      ...ground,
      ...forSessions(settings, (text) => logger.cleanText(text)),
      ...booking,
      ...passage,
      clientNames: createClientNames(() => wrappedClients(dataDir, nodeClientFiles)),
      approvals,
      openLink: servers.openLink,
      onSettingsChanged: (listener) => servers.restarts.subscribe(listener),
      toolPolicy: (serverId, tool) => policies.ofTool(serverId, tool),
      askerOf: cache.askerOf,
      cleanDefinition: guard.cleanDefinition,
      exploration: masking.aroundExploration(createExploration({ ...ground, ...guard, results, ledger })),
      hasLargeResults,
    }),
  )
  const here = hookFiles(ground, { ...options, settings, files: nodeClientFiles })
  const readCommand = typedCommand(options.launcher, ['read'], ground)
  const linked = { ...options, ...here, ...ground, ...passage, ...sessions, ...guard, ...goals }
  const hooks = closing(createHooks({ ...linked, results, ledger, readCommand }))
  const features = { hooks, ledger, results, approvals, lookAtServer, budgets, models, cache }
  const parts = {
    ...features,
    settings,
    mainSwitch,
    database,
    events,
    workers,
    openSession: sessions.open,
    serverStates: servers.states,
    sharing: servers.sharing,
    quarantine: guard.quarantine,
    conversations: goals.conversations,
  }
  const waysIn = closing(
    createWaysIn({
      ...options,
      ...ground,
      ...parts,
      ...servers,
      ...passage,
      traces,
      sessions: () => sessions.count(),
      hasLargeResults,
      cleanDefinition: guard.cleanDefinition,
    }),
  )
  const wake = (): void => {
    mainSwitch.refresh()
    settings.refresh()
    servers.doubt()
  }
  keepHouse({ ...ground, ...parts }, opened)
  opened.defer(watchSleep({ now, clock, onWake: wake }))
  let closed: Promise<void> | undefined
  return { ...parts, ...waysIn, wake, close: () => (closed ??= opened.disposeAsync()) }
}
