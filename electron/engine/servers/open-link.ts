import { SluiceError } from '../ground/errors.ts'
import type { Era } from '../protocol/era.ts'
import type { Dialer, OpenLinkDependencies } from './upstream/connection.ts'
import { connectStdio, folderOf } from './upstream/connect-stdio.ts'
import type { OpenLink, OpenLinkOptions, UpstreamLink } from '../protocol/link.ts'
import type { EraMemory } from './era-memory.ts'
import { linkPerCapabilities } from './upstream/link-per-capabilities.ts'
import { openPeer } from './upstream/open-peer.ts'
import type { OpenedPeer, PeerEvents } from './upstream/opened-peer.ts'
import { RequestLogs } from './upstream/request-logs.ts'
import { QuestionRounds } from './upstream/question-rounds.ts'
import { createServerLink } from './upstream/server-link.ts'

function inMemory(): EraMemory {
  const eras = new Map<string, Era>()
  return {
    get: (launch) => eras.get(launch),
    set: (launch, era, isCertain) => {
      if (isCertain) eras.set(launch, era)
    },
  }
}

export function createOpenLink(deps: OpenLinkDependencies): OpenLink {
  const eras = deps.eras ?? inMemory()
  return async (options) => {
    const { settings } = options
    if (settings.command !== undefined) {
      const folder = folderOf(deps, options)
      return Object.assign(await openFor(deps, eras, options, connectStdio), { folder })
    }
    if (settings.url === undefined) {
      const problem = `Server "${options.serverId}" has neither "command" nor "url". Add one of them in config.json.`
      throw new SluiceError('SETTINGS_INVALID', problem)
    }
    // Not loaded for local programs.
    const { connectHttp, connectSse, fallsBackToSse } = await import('./upstream/connect-http.ts')
    if (settings.type === 'sse') return openFor(deps, eras, options, connectSse)
    try {
      return await openFor(deps, eras, options, connectHttp)
    } catch (error) {
      if (settings.type !== undefined || !fallsBackToSse(error)) throw error
      return openFor(deps, eras, options, connectSse).catch(() => Promise.reject(error))
    }
  }
}

async function openFor(
  deps: OpenLinkDependencies,
  eras: EraMemory,
  options: OpenLinkOptions,
  dial: Dialer,
): Promise<UpstreamLink> {
  const first = await open(deps, eras, options, dial)
  const { client, events, settings } = options
  const isOne = client.era === first.hello.era || client.era === 'legacy'
  if (isOne || (settings.shared && deps.shared)) return first
  return linkPerCapabilities({
    first,
    open: (capabilities, onLost) =>
      open(
        deps,
        eras,
        { ...options, client: { ...client, capabilities }, events: { ...events, onLost } },
        dial,
      ),
  })
}

async function open(
  deps: OpenLinkDependencies,
  eras: EraMemory,
  options: OpenLinkOptions,
  dial: Dialer,
): Promise<UpstreamLink> {
  const { client, events, settings } = options
  const state: { opened?: OpenedPeer } = {}
  const rounds =
    client.era === 'modern'
      ? new QuestionRounds({
          capabilities: client.capabilities,
          ...(deps.answerMs === undefined ? {} : { patienceMs: deps.answerMs }),
          offerRoots: () => void state.opened?.peer.notify('notifications/roots/list_changed'),
          onAnswered: (method, answer) => events.onAnswered?.(method, answer),
        })
      : undefined
  const asked = { now: 0 }
  const logs = client.era === 'modern' ? new RequestLogs() : undefined
  const onRequest: PeerEvents['onRequest'] = async (request) => {
    const { method, params, signal, notify } = request
    // Sluice knows whether the connection is alive.
    if (method === 'ping') return {}
    if (rounds) return rounds.onRequest(request)
    asked.now++
    try {
      return await events.onRequest(method, params, signal, notify)
    } finally {
      asked.now--
    }
  }
  const own: PeerEvents = {
    onRequest,
    onNotification: (method, params) => {
      if (!logs?.hear(method, params)) events.onNotification(method, params)
    },
    onReach: (failure) => events.onReach?.(failure),
    onLost: (error) => events.onLost(error),
  }
  const opened =
    settings.shared && deps.shared
      ? await deps.shared.join(options, own, (greeting) =>
          openPeer({ deps, eras, dial, options: { ...options, ...greeting }, events: greeting.events }),
        )
      : await openPeer({ deps, eras, dial, options, events: own })
  state.opened = opened
  const link = createServerLink({
    serverId: options.serverId,
    opened,
    client,
    events,
    rounds,
    isAsked: () => asked.now > 0,
  })
  return logs ? logs.around(link) : link
}
