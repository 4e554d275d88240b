import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { resolveToolPolicy } from './settings/resolve-policy.ts'
import { nodeClientFiles } from './client-configs/node-client-files.ts'
import { wrappedClients } from './client-configs/wrapped-clients.ts'
import { openApprovals, type OpenApprovals } from './approvals/open-approvals.ts'
import { requireApproval } from './approvals/require-approval.ts'
import { approvalsOptions } from './approvals/create-approvals.ts'
import { composeOnce, type Interceptor } from './message/call.ts'
import { createCompressResource, createCompressResult } from './compression/compress-result.ts'
import { countTokens } from './text/tokens/count-tokens.ts'
import { compressionOptions } from './compression/create-compression.ts'
import { countTokensOf } from './work/count-tokens-of.ts'
import type { Database } from './ground/database/database.ts'
import type { OpenSession } from './clients/transports/client-session.ts'
import { createCache, type Cache } from './cache/create-cache.ts'
import { createCallTraces } from './message/call-traces.ts'
import { collectWhenIdle } from './work/collect-garbage.ts'
import type { Answers } from './screens/http/answers.ts'
import type { ScreensPort } from './screens/http/serve-over-port.ts'
import type { EngineOptions } from './engine-options.ts'
import type { Events } from './ground/events.ts'
import { createGuardText, guardOptions } from './guardrails/create-guard.ts'
import { cleanDefinition } from './guardrails/clean-definition.ts'
import { createOtherDetectors } from './guardrails/other-detectors.ts'
import { createReleaseTool } from './guardrails/release-tool.ts'
import { createChangeScan } from './guardrails/scan-change.ts'
import { createGuard } from './guardrails/guard-result.ts'
import { QuarantineStore } from './guardrails/quarantine-store.ts'
import {
  createMaskAllForRemote,
  createMaskForRemote,
  createMaskHere,
  remoteMasking,
} from './masking/remote-masking.ts'
import { openMasking } from './masking/create-masking.ts'
import type { Listeners, Listening, ListenOptions } from './clients/listeners.ts'
import type { Ledger } from './ledger/ledger.ts'
import { recordCall } from './ledger/record-call.ts'
import { createIds } from './ground/ids.ts'
import { createListingBookkeeper } from './ledger/book-listings.ts'
import { createLater } from './ground/later.ts'
import { createLoadModels, type LoadModels } from './models/load-models.ts'
import { createLoadScreens } from './screens/create-screens.ts'
import { createLookAtServer, type LookAtServer } from './servers/look-at-server.ts'
import { parseLargeIn, parseMessageIn } from './work/parse-large.ts'
import type { JsonObject } from './protocol/json-rpc.ts'
import { createExploration } from './results/create-exploration.ts'
import { openRecords } from './ledger/records.ts'
import { openResults } from './results/open-results.ts'
import type { ResultStore } from './results/store.ts'
import { createClientNames } from './clients/session/client-names.ts'
import { readOffer } from './clients/session/read-offer.ts'
import { createOpenSession } from './clients/session/open-session.ts'
import { createExplorationReach } from './clients/session/session-dependencies.ts'
import { createServerConnections } from './servers/create-servers.ts'
import { createServerRestarts } from './servers/restarts.ts'
import type { ServerStates } from './servers/states.ts'
import { createOpenExpanded } from './servers/open-expanded.ts'
import { openGround } from './settings/open-ground.ts'
import { forSessions, type SettingsStore } from './settings/settings-store.ts'
import { startSweeping } from './ground/sweeping.ts'
import { loadSummarise } from './summaries/create-summarise.ts'
import type { Switch } from './settings/switch.ts'
import { shapeArguments } from './tools/shape-arguments.ts'
import { createTelemetry } from './telemetry/create-telemetry.ts'
import { createTreatMessages } from './message/treat-messages.ts'
import { watchFolder } from './ground/files/watch-folder.ts'
import { watchSleep } from './servers/watch-sleep.ts'
import { inTurn } from './message/in-turn.ts'
import type { WorkerPool } from './work/worker-pool.ts'

/** A running Sluice: everything but the ways in, which `listen` opens. */
export interface Engine {
  readonly openSession: OpenSession
  readonly settings: SettingsStore
  readonly mainSwitch: Switch
  readonly database: Database
  readonly ledger: Ledger
  readonly results: ResultStore
  readonly events: Events
  readonly workers: WorkerPool
  readonly serverStates: ServerStates
  readonly approvals: OpenApprovals
  readonly lookAtServer: LookAtServer
  readonly quarantine: QuarantineStore
  readonly models: LoadModels
  readonly cache: Cache
  /** What the screens get to hear, for the tray. */
  answers(): Promise<Answers>
  /** Catches up after the machine has slept: timers and watches may have stood still. */
  wake(): void
  /** Opens the local socket and the loopback HTTP server. */
  listen(options?: ListenOptions): Promise<Listening>
  /**
   * Serves the screens' contract over a port; whoever holds its other end may do everything. Resolves when the port may be
   * started.
   */
  serveScreens(port: ScreensPort): Promise<void>
  /** Ends all sessions and their servers, then the stores. Idempotent; resolves when every end is confirmed. */
  close(): Promise<void>
}

/** Together with the calls that end meanwhile. */
const BOOKED_AFTER_MS = 5

/** The composition root: everything below gets what it needs from here, and from nowhere else. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const opened = new AsyncDisposableStack()
  try {
    return await openEngine(options, opened)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** `opened` gets the end of each part. It closes in reverse: ways in, sessions, servers, models, the last bookings, stores. */
async function openEngine(options: EngineOptions, opened: AsyncDisposableStack): Promise<Engine> {
  const { dataDir, logger, now, secrets, version, tempDir } = options
  const ground = await openGround(options, opened)
  const { env, recentLines, events, settings, mainSwitch, policies, workers } = ground
  const bookkeeping = createLater(BOOKED_AFTER_MS)
  const records = openRecords({ dataDir, events, logger, now })
  opened.defer(() => records.close())
  const { database, ledger, reader, hasLargeResults } = records
  const results = openResults({ database, dataDir, logger, now, settings, workers, reader })
  const cache = createCache({
    path: join(dataDir, 'cache.db'),
    settings: () => settings.current,
    results,
    workers,
    env,
    version: options.version,
    now,
    logger,
  })
  opened.defer(() => cache.close())

  const quarantine = new QuarantineStore(database, now, () => ({
    keepMs: settings.current.quarantine.keepDays * 24 * 3600_000,
    maxBytes: settings.current.quarantine.maxBytes,
  }))
  const { masking, find } = await openMasking({ workers, database, settings, events, logger })
  const guarding = guardOptions({
    workers,
    quarantine,
    results,
    settings: () => settings.current,
    env,
    secrets,
    mask: createMaskForRemote(find, settings),
    events,
    logger,
  })
  const guard = createGuard(guarding)

  const models = createLoadModels({
    ...options,
    settings,
    secrets,
    fork: options.forkModelProcess,
    events,
    countTokens: countTokensOf(workers),
  })
  const summarise = loadSummarise({
    models,
    workers,
    settings: () => settings.current,
    mask: createMaskAllForRemote(find, settings),
    guard: createGuardText(guarding.scan),
    readingTimes: () => import('./models/text-model.ts'),
  })
  const compression = compressionOptions({
    workers,
    results,
    events,
    logger,
    summarise,
    once: cache.once,
    pathInHeader: () => settings.current.results.pathInHeader,
  })
  const traces = createCallTraces({ clock: () => performance.now(), defer: bookkeeping.add })
  const telemetry = createTelemetry({ settings, events, logger, version, env, secrets })
  opened.defer(() => telemetry.close())
  // Before the stores close, so that neither a job nor a change of the settings reaches a closed one.
  opened.defer(() => workers.close())
  opened.defer(() => mainSwitch.close())
  opened.defer(() => settings.close())
  /** THE list of interceptors, outermost first. Guards fail closed, savings fail open: docs/architecture.md. */
  const interceptors: Readonly<Record<string, Interceptor>> = {
    'record-call': recordCall({
      begin: (call) => records.begin(call),
      record: records.record,
      defer: bookkeeping.add,
      countTokens,
      logger,
      clean: (text) => logger.cleanText(text),
      now,
      clock: () => performance.now(),
    }),
    'trace-call': telemetry.traceCall,
    'hide-from-server': masking.hideFromServer,
    'keep-trace': traces.keepTrace,
    'require-approval': requireApproval,
    'shape-arguments': shapeArguments,
    escalate: policies.pausable(cache.escalate),
    'guard-shortened': guard.guardShortened,
    'answer-again': policies.pausable(cache.answerAgain),
    'compress-result': policies.pausable(createCompressResult(compression)),
    'reuse-result': cache.reuseResult,
    'guard-result': guard.guardResult,
    'hide-from-model': masking.hideFromModel,
    'trace-upstream': telemetry.traceUpstream,
  }
  const pipeline = composeOnce(traces.timedLayers(interceptors))
  const compressResource = createCompressResource(compression)

  const parseLarge = parseLargeIn(workers)
  const servers = createServerConnections({ ...options, env, events, settings, parseLarge })
  opened.defer(() => servers.close())
  const openLink = cache.watchLinks(servers.openLink)
  const approvals = openApprovals(
    approvalsOptions({
      ...options,
      env,
      settings: () => settings.current,
      events,
      scan: createChangeScan(
        () => createOtherDetectors(settings.current.guardDetectors, { env, secrets, fetch }),
        createMaskHere(() => remoteMasking(settings.current)),
      ),
    }),
  )
  opened.defer(() => approvals.close())
  const restarts = createServerRestarts(settings, mainSwitch, events)
  // Before the sessions hear of it, so that they find none of the old processes.
  restarts.subscribe(({ restarted, removed }) => {
    servers.retire([...restarted, ...removed])
    cache.serversChanged([...restarted, ...removed])
  })
  const cleanShown = (serverId: string, value: JsonObject): JsonObject =>
    cleanDefinition(value, policies.ofServer(serverId).guard.controlCharacters)
  const expanding = { env, secrets, logger, known: servers.known }
  const openExpanded = createOpenExpanded({ openLink, ...expanding })
  const openNow = createOpenExpanded({ openLink: servers.openNow, ...expanding })
  const lookAtServer = createLookAtServer({
    openLink: openNow,
    approvals,
    readOffer,
    version,
    env,
    tempDir,
  })
  const listings = createListingBookkeeper({ ledger, workers, now, logger })
  opened.defer(async () => {
    // Calls that this ended are booked in the next turns of the event loop.
    await setImmediate()
    bookkeeping.flush()
    await listings.finish()
  })
  opened.defer(() => models.close())
  opened.defer(() => servers.closeShared())
  const sessions = createOpenSession({
    version: options.version,
    logger,
    clientNames: createClientNames(() => wrappedClients(dataDir, nodeClientFiles)),
    approvals,
    now,
    openLink: openExpanded,
    ...forSessions(settings, (text) => logger.cleanText(text)),
    onSettingsChanged: (listener) => restarts.subscribe(listener),
    toolPolicy: (serverId, tool) => policies.ofTool(serverId, tool),
    askerOf: cache.askerOf,
    pipeline: (innermost) => inTurn(pipeline(traces.timed(innermost))),
    ...createTreatMessages({
      policies,
      guard,
      masking,
      compressResource,
      isCompressing: () => mainSwitch.current.compressing,
      onQuestion: cache.asked,
    }),
    cleanDefinition: cleanShown,
    exploration: masking.aroundExploration(
      createExploration({
        results,
        workers,
        ledger,
        release: createReleaseTool(
          quarantine,
          (server, tool) => resolveToolPolicy(settings.current, server, tool).guard.controlCharacters,
        ),
        guard,
        settings,
        now,
        logger,
      }),
    ),
    hasLargeResults,
    onListed: listings.onListed,
    onToldOfTools: listings.onToldOfTools,
    explorationReach: createExplorationReach(),
    newId: createIds(),
    onOpened: (sessionId, client) => events.emit('session-opened', { sessionId, client }),
    onClosed: (sessionId, client) => {
      masking.endSession(sessionId)
      cache.endSession(sessionId)
      events.emit('session-closed', { sessionId, client })
    },
  })

  opened.defer(() => sessions.close())

  const parts = {
    openSession: sessions.open,
    settings,
    mainSwitch,
    database,
    ledger,
    results,
    events,
    workers,
    serverStates: servers.states,
    approvals,
    lookAtServer,
    quarantine,
    models,
    cache,
  }
  const loadScreens = createLoadScreens({
    ...options,
    ...parts,
    restarts,
    secrets,
    traces,
    recentLines,
    sessions: () => sessions.count(),
    hasLargeResults,
    cleanDefinition: cleanShown,
    launcher: options.launcher,
    desktop: options.desktop,
  })
  // An engine that one connector hosts for itself has no other way in.
  let listeners: Promise<Listeners> | undefined
  const openListeners = async (): Promise<Listeners> => {
    const [{ createListeners }, { createMountScreens }] = await Promise.all([
      import('./clients/listeners.ts'),
      import('./screens/http/mount-screens.ts'),
    ])
    return createListeners({
      ...options,
      settings,
      openSession: sessions.open,
      mountScreens: createMountScreens({ ...options, settings, loadScreens, serverStates: servers.states }),
      parseLarge: parseMessageIn(workers),
    })
  }
  const wake = (): void => {
    mainSwitch.refresh()
    settings.refresh()
    servers.doubt()
  }
  opened.defer(async () => (await listeners)?.close())
  opened.defer(collectWhenIdle(events))
  opened.defer(watchFolder({ dataDir, logger }))
  opened.defer(watchSleep({ now, clock: () => performance.now(), onWake: wake }))
  opened.defer(
    startSweeping(
      {
        results: () => results.sweep(),
        quarantine: () => quarantine.sweep(),
        calls: () => ledger.forgetBefore(now() - settings.current.ledger.keepDays * 24 * 3600_000),
        'cached results': () => cache.store.sweep(),
      },
      logger,
    ),
  )
  let closing: Promise<void> | undefined
  return {
    ...parts,
    listen: async (wanted) => (await (listeners ??= openListeners())).open(wanted),
    serveScreens: async (port) => {
      const [{ serveOverPort }, { router }] = await Promise.all([
        import('./screens/http/serve-over-port.ts'),
        loadScreens(),
      ])
      serveOverPort(port, { router, logger })
    },
    answers: async () => (await loadScreens()).answers,
    wake,
    close: () => (closing ??= opened.disposeAsync()),
  }
}
