import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { makeFolder } from './ground/files/make-folder.ts'
import { usesMasking } from './settings/resolve-policy.ts'
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
import { definedOnly } from './ground/defined-only.ts'
import type { EngineOptions } from './engine-options.ts'
import { createEvents, type Events } from './ground/events.ts'
import { guardOptions } from './guardrails/create-guard.ts'
import { cleanDefinition } from './guardrails/clean-definition.ts'
import { createGuard } from './guardrails/guard-result.ts'
import { QuarantineStore } from './guardrails/quarantine-store.ts'
import { createMaskForRemote } from './masking/remote-masking.ts'
import { createMasking } from './masking/masking.ts'
import { maskingOptions } from './masking/create-masking.ts'
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
import { followNetwork } from './network/create-network.ts'
import { createPolicies } from './settings/policies.ts'
import type { JsonObject } from './protocol/json-rpc.ts'
import { createExploration } from './results/create-exploration.ts'
import { keepRecentLines } from './ground/recent-lines.ts'
import { openRecords } from './ledger/records.ts'
import type { ResultStore } from './results/store.ts'
import { createClientNames } from './clients/session/client-names.ts'
import { createOpenSession } from './clients/session/open-session.ts'
import { createExplorationReach } from './clients/session/session-dependencies.ts'
import { createServerConnections } from './servers/create-servers.ts'
import { createServerRestarts } from './servers/restarts.ts'
import type { ServerStates } from './servers/states.ts'
import { createOpenExpanded } from './servers/open-expanded.ts'
import { secretsOf } from './settings/expand-env.ts'
import { forSessions, openSettings, type SettingsStore } from './settings/settings-store.ts'
import { startSweeping } from './ground/sweeping.ts'
import { loadSummarise } from './summaries/create-summarise.ts'
import { openSwitch, type Switch } from './settings/switch.ts'
import { shapeArguments } from './tools/shape-arguments.ts'
import { createTelemetry } from './telemetry/create-telemetry.ts'
import { createTreatContent } from './message/treat-content.ts'
import { watchFolder } from './ground/files/watch-folder.ts'
import { watchSleep } from './servers/watch-sleep.ts'
import { inTurn } from './message/in-turn.ts'
import { WorkerPool } from './work/worker-pool.ts'

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
  const { dataDir, logger, now, secrets, version, tempDir } = options
  makeFolder(dataDir)
  const env = definedOnly(options.env)
  const recentLines = keepRecentLines(logger)
  const events = createEvents(logger)
  const settings = openSettings({ dataDir, logger, events, watch: options.watchSettings ?? true })
  const adjustLogger = (): void => {
    logger.redact(Object.values(settings.current.servers).flatMap((server) => secretsOf(server)))
    logger.setLevel(settings.current.logLevel)
  }
  adjustLogger()
  events.on('settings-changed', adjustLogger)
  const warn = (message: string): void => logger.warn(message)
  const leaveNetwork = await followNetwork(settings, { env, warn, events, nodeTrusts: options.nodeTrusts })
  const mainSwitch = openSwitch({ dataDir, now, logger, events, watch: options.watchSettings ?? true })
  const policies = createPolicies(settings, mainSwitch)

  const bookkeeping = createLater(BOOKED_AFTER_MS)
  const workers = new WorkerPool({
    logger,
    onCrash: (why) => events.emit('part-restarted', { part: 'A worker thread', why }),
  })
  const records = openRecords({ dataDir, events, workers, settings, logger, now })
  const { database, ledger, results, hasLargeResults } = records
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

  const quarantine = new QuarantineStore(database, now, () => ({
    keepMs: settings.current.quarantine.keepDays * 24 * 3600_000,
    maxBytes: settings.current.quarantine.maxBytes,
  }))
  const hiding = maskingOptions({ workers, database })
  const masking = createMasking(hiding)
  const prepareMasking = async (): Promise<void> => {
    if (usesMasking(settings.current)) await hiding.load()
  }
  await prepareMasking()
  events.on('settings-changed', () => void prepareMasking())
  logger.hideBy((text) => (usesMasking(settings.current) ? masking.cleanLogText(text) : text))
  const guarding = guardOptions({
    workers,
    quarantine,
    results,
    settings: () => settings.current,
    env,
    secrets,
    mask: createMaskForRemote(hiding.find, settings),
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
    ...hiding,
    ...guarding,
    models,
    workers,
    settings: () => settings.current,
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
  const openLink = cache.watchLinks(servers.openLink)
  const approvals = openApprovals(
    approvalsOptions({ ...options, env, settings: () => settings.current, events, fetch, secrets }),
  )
  const restarts = createServerRestarts(settings)
  // Before the sessions hear of it, so that they find none of the old processes.
  restarts.subscribe(({ restarted, removed }) => {
    servers.retire([...restarted, ...removed])
    cache.serversChanged([...restarted, ...removed])
  })
  let wasOn = mainSwitch.current.on
  events.on('switch-changed', ({ on }) => {
    if (on !== wasOn) restarts.relist()
    wasOn = on
  })
  const cleanShown = (serverId: string, value: JsonObject): JsonObject =>
    cleanDefinition(value, policies.ofServer(serverId).guard.controlCharacters)
  const expanding = { env, secrets, logger, known: servers.known }
  const openExpanded = createOpenExpanded({ openLink, ...expanding })
  const openNow = createOpenExpanded({ openLink: servers.openNow, ...expanding })
  const lookAtServer = createLookAtServer({ openLink: openNow, approvals, version, env, tempDir })
  const listings = createListingBookkeeper({ ledger, workers, now, logger })
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
    content: createTreatContent({ policies, guard, masking, compressResource, mainSwitch }),
    guardErrors: ({ method, clientName, serverId }, request) => {
      const { guard: policy } = policies.ofServer(serverId)
      return guard.guardErrors(request, { clientName, serverId, tool: method, arguments: undefined }, policy)
    },
    said: (origin, params, deliver) => {
      const policy = policies.ofServer(origin.serverId)
      guard.guardSaid(params, origin, policy.guard, (shown) =>
        deliver(masking.said(origin, policy.masking, shown)),
      )
    },
    question: async (origin, method, params, ask) => {
      if (method !== 'roots/list') cache.asked(origin.sessionId, origin.serverId)
      const policy = policies.ofServer(origin.serverId)
      const from = { ...origin, tool: method, arguments: undefined }
      const shown = params && (await guard.guardQuestion(params, from, policy.guard))
      return masking.question(origin, policy.masking, shown, ask)
    },
    cleanDefinition: cleanShown,
    exploration: masking.aroundExploration(
      createExploration({ results, workers, ledger, quarantine, guard, settings, now, logger }),
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

  const stopCollecting = collectWhenIdle(events)
  const stopSweeping = startSweeping(
    {
      results: () => results.sweep(),
      quarantine: () => quarantine.sweep(),
      calls: () => ledger.forgetBefore(now() - settings.current.ledger.keepDays * 24 * 3600_000),
      'cached results': () => cache.store.sweep(),
    },
    logger,
  )

  const loadScreens = createLoadScreens({
    ...options,
    settings,
    events,
    ledger,
    results,
    workers,
    serverStates: servers.states,
    restarts,
    mainSwitch,
    approvals,
    quarantine,
    models,
    cache,
    secrets,
    traces,
    lookAtServer,
    recentLines,
    openSession: sessions.open,
    sessions: () => sessions.count(),
    hasLargeResults,
    cleanDefinition: cleanShown,
    launcher: options.launcher,
    desktop: options.desktop,
  })
  // An engine that one connector hosts for itself has no other way in.
  let listeners: Promise<Listeners> | undefined
  const openListeners = async (): Promise<Listeners> => {
    const { createListeners } = await import('./clients/listeners.ts')
    return createListeners({
      ...options,
      screensFolder: options.screensFolder,
      settings,
      openSession: sessions.open,
      loadScreens,
      serverStates: servers.states,
      parseLarge: parseMessageIn(workers),
    })
  }
  const wake = (): void => {
    mainSwitch.refresh()
    settings.refresh()
    servers.doubt()
  }
  const stopWatchingFolder = watchFolder({ dataDir, logger })
  const stopWatchingSleep = watchSleep({ now, clock: () => performance.now(), onWake: wake })
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    stopSweeping()
    stopWatchingSleep()
    stopWatchingFolder()
    stopCollecting()
    await (await listeners)?.close()
    await sessions.close()
    await servers.closeShared()
    await models.close()
    // Calls that this ended are booked in the next turns of the event loop.
    await setImmediate()
    bookkeeping.flush()
    await listings.finish()
    servers.close()
    approvals.close()
    settings.close()
    mainSwitch.close()
    await workers.close()
    await telemetry.close()
    cache.close()
    await records.close()
    leaveNetwork()
  }
  return {
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
    close: () => (closing ??= close()),
  }
}
