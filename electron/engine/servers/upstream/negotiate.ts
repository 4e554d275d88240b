import { SluiceError } from '../../ground/errors.ts'
import type { ClientHello, Era, Implementation, ServerHello } from '../../protocol/era.ts'
import { LATEST_LEGACY_VERSION, MODERN_VERSION, MetaKey } from '../../protocol/era.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { isJsonObject, RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'
import type { RpcPeer } from '../../protocol/peer.ts'
import { envelopeOf } from './envelope.ts'

export interface NegotiateOptions {
  readonly connect: () => Promise<RpcPeer>
  readonly client: ClientHello
  /** With such a client. */
  readonly remembered: Era | undefined
  /** Silence until a server counts as not knowing `server/discover`. */
  readonly probeMs: number
  /** For `initialize`; downloads need long. */
  readonly startMs: number
  readonly signal: AbortSignal
}

export interface Negotiated {
  readonly peer: RpcPeer
  readonly hello: ServerHello
  /** False if inferred from silence, which may be a slow start. */
  readonly isCertain: boolean
}

type Probe =
  | { readonly kind: 'modern'; readonly hello: ServerHello }
  | {
      readonly kind: 'legacy'
      readonly isCertain: boolean
      readonly isClosed: boolean
      /** After silence: whether a modern answer came since. */
      readonly hasAnswered?: () => boolean
    }

/** The client's era if the server supports it, to avoid translation, otherwise the other. */
export async function negotiate(options: NegotiateOptions): Promise<Negotiated> {
  const peer = await options.connect()
  if ((options.remembered ?? options.client.era) === 'legacy') {
    try {
      return { peer, hello: await initialize(peer, options), isCertain: true }
    } catch (error) {
      if (!isRefusal(error)) throw error
      const probe = await discover(peer, options)
      if (probe.kind === 'modern') return { peer, hello: probe.hello, isCertain: true }
      throw error
    }
  }
  const startedAt = performance.now()
  const probe = await discover(peer, { ...options, probeMs: patienceOf(options) })
  if (probe.kind === 'modern') return { peer, hello: probe.hello, isCertain: true }
  // Some servers exit if the first message isn't `initialize`.
  const next = probe.isClosed ? await options.connect() : peer
  try {
    const hello = await initialize(next, options)
    const isInTime = performance.now() - startedAt < options.startMs / 2
    if (!probe.hasAnswered?.() || !isInTime) return { peer: next, hello, isCertain: probe.isCertain }
    // It started slowly and knows both eras; only a connection without `initialize` is sure to be modern. A second start takes
    // as long as the first.
    const fresh = await options.connect()
    const again = await discover(fresh, { ...options, probeMs: options.startMs })
    if (again.kind === 'modern') return { peer: fresh, hello: again.hello, isCertain: true }
    return { peer: fresh, hello: await initialize(fresh, options), isCertain: false }
  } catch (error) {
    // Its silence was a slow start: it may answer the probe now.
    if (probe.isCertain || !isRefusal(error)) throw error
    const again = await discover(next, { ...options, probeMs: options.startMs })
    if (again.kind === 'modern') return { peer: next, hello: again.hello, isCertain: true }
    throw error
  }
}

/** One that is known to be modern is waited for: it may start slowly each time. */
const patienceOf = ({ remembered, startMs, probeMs }: NegotiateOptions): number =>
  remembered === 'modern' ? Math.max(probeMs, startMs / 2) : probeMs

async function initialize(peer: RpcPeer, options: NegotiateOptions): Promise<ServerHello> {
  const { client, signal, startMs } = options
  const params =
    client.era === 'legacy'
      ? pick(client, 'protocolVersion', 'capabilities', 'clientInfo')
      : {
          protocolVersion: LATEST_LEGACY_VERSION,
          capabilities: client.capabilities,
          clientInfo: client.clientInfo,
        }
  const raw = await peer.request('initialize', params, { signal, timeoutMs: startMs })
  await peer.notify('notifications/initialized')
  return helloOf('legacy', String(raw['protocolVersion']), raw, raw['serverInfo'])
}

async function discover(peer: RpcPeer, options: NegotiateOptions, isRepeated = false): Promise<Probe> {
  const timer = Promise.withResolvers<undefined>()
  const timeout = setTimeout(() => timer.resolve(undefined), options.probeMs)
  try {
    const request = peer.request('server/discover', { _meta: envelopeOf(options.client) })
    const raw = await Promise.race([request, timer.promise])
    if (!raw) return { kind: 'legacy', isCertain: false, isClosed: false, hasAnswered: watch(request) }
    if (!isModern(raw)) return { kind: 'legacy', isCertain: true, isClosed: false }
    const meta = raw['_meta']
    const info = isJsonObject(meta) ? meta[MetaKey.serverInfo] : undefined
    return { kind: 'modern', hello: helloOf('modern', MODERN_VERSION, raw, info) }
  } catch (error) {
    if (options.signal.aborted) throw error
    // Sign-in comes first.
    if (error instanceof SluiceError && error.code === 'SIGN_IN_NEEDED') throw error
    // Servers of several versions may share an address.
    if (!isRepeated && refusesThoughItKnows(error)) return await discover(peer, options, true)
    const isAnswer = error instanceof RpcError && !peer.isClosed
    return {
      kind: 'legacy',
      isCertain: isAnswer || httpStatusOf(error) !== undefined,
      isClosed: peer.isClosed,
    }
  } finally {
    clearTimeout(timeout)
  }
}

function watch(request: Promise<JsonObject>): () => boolean {
  const seen = { isModern: false }
  request.then(
    (raw) => (seen.isModern = isModern(raw)),
    () => {},
  )
  return () => seen.isModern
}

function isModern({ supportedVersions }: JsonObject): boolean {
  return Array.isArray(supportedVersions) && supportedVersions.includes(MODERN_VERSION)
}

/** A version error that lists the requested version as supported. */
function refusesThoughItKnows(error: unknown): boolean {
  if (!(error instanceof RpcError) || error.code !== RpcErrorCode.unsupportedProtocolVersion) return false
  const { supported } = isJsonObject(error.data) ? error.data : {}
  return Array.isArray(supported) && supported.includes(MODERN_VERSION)
}

function helloOf(era: Era, protocolVersion: string, raw: JsonObject, info: unknown): ServerHello {
  const { capabilities, instructions } = raw
  return {
    era,
    protocolVersion,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    serverInfo: isImplementation(info) ? info : { name: 'unknown', version: '' },
    ...(typeof instructions === 'string' ? { instructions } : {}),
    raw,
  }
}

const isImplementation = (value: unknown): value is Implementation =>
  isJsonObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string'

/** Over HTTP possibly a bare 400. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RpcError ? error.code !== RpcErrorCode.requestTimeout : httpStatusOf(error) === 400

export function httpStatusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return typeof status === 'number' ? status : undefined
}

const pick = (client: ClientHello, ...keys: (keyof ClientHello)[]): JsonObject =>
  Object.fromEntries(keys.map((key) => [key, client[key]]))
