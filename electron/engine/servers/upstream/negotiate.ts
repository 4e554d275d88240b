import { SluiceError } from '../../ground/errors.ts'
import type { ClientHello, Era, Implementation, ServerHello } from '../../protocol/era.ts'
import { LATEST_LEGACY_VERSION, MODERN_VERSION, MetaKey } from '../../protocol/era.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { isJsonObject, RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'
import type { RpcPeer } from '../../protocol/peer.ts'
import { envelopeOf } from './envelope.ts'

export interface NegotiateOptions {
  /** Opens a connection; asked for a second one when the first did not survive the probe. */
  readonly connect: () => Promise<RpcPeer>
  readonly client: ClientHello
  /** The era that this server had for such a client last time. */
  readonly remembered: Era | undefined
  /** Milliseconds of silence after which a server is taken for one that does not know `server/discover`. */
  readonly probeMs: number
  /** Milliseconds that `initialize` may take; servers that are downloaded first need many. */
  readonly startMs: number
  readonly signal: AbortSignal
}

export interface Negotiated {
  readonly peer: RpcPeer
  readonly hello: ServerHello
  /** False when the era follows from silence, which may only have been a slow start. */
  readonly isCertain: boolean
}

type Probe =
  | { readonly kind: 'modern'; readonly hello: ServerHello }
  | { readonly kind: 'legacy'; readonly isCertain: boolean; readonly isClosed: boolean }

/**
 * Finds the era in which server and client understand each other: the client's own if the server speaks it, so that
 * nothing has to be translated, otherwise the other one.
 */
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
  const probe = await discover(peer, options)
  if (probe.kind === 'modern') return { peer, hello: probe.hello, isCertain: true }
  // Some servers end when the first thing they hear is not `initialize`.
  const next = probe.isClosed ? await options.connect() : peer
  try {
    return { peer: next, hello: await initialize(next, options), isCertain: probe.isCertain }
  } catch (error) {
    // Its silence was only a slow start: now that it answers, it may answer the first question, too.
    if (probe.isCertain || !isRefusal(error)) throw error
    const again = await discover(next, { ...options, probeMs: options.startMs })
    if (again.kind === 'modern') return { peer: next, hello: again.hello, isCertain: true }
    throw error
  }
}

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
    // Not cancelled when it takes too long: a server that has not been greeted yet may choke on that.
    const request = peer.request('server/discover', { _meta: envelopeOf(options.client) })
    const raw = await Promise.race([request, timer.promise])
    if (!raw) return { kind: 'legacy', isCertain: false, isClosed: false }
    const versions = raw['supportedVersions']
    if (!Array.isArray(versions) || !versions.includes(MODERN_VERSION))
      return { kind: 'legacy', isCertain: true, isClosed: false }
    const meta = raw['_meta']
    const info = isJsonObject(meta) ? meta[MetaKey.serverInfo] : undefined
    return { kind: 'modern', hello: helloOf('modern', MODERN_VERSION, raw, info) }
  } catch (error) {
    if (options.signal.aborted) throw error
    // Nothing can be learnt of a server that wants its user to sign in first.
    if (error instanceof SluiceError && error.code === 'SIGN_IN_NEEDED') throw error
    // Behind one address may stand servers of several versions, one after the other.
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

/** An error about the version that names the very version that was asked for among those it supports. */
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

/** The server lives and said no to `initialize`; over HTTP that may be a bare 400. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RpcError ? error.code !== RpcErrorCode.requestTimeout : httpStatusOf(error) === 400

export function httpStatusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return typeof status === 'number' ? status : undefined
}

const pick = (client: ClientHello, ...keys: (keyof ClientHello)[]): JsonObject =>
  Object.fromEntries(keys.map((key) => [key, client[key]]))
