import type { ClientHello } from '../../protocol/era.ts'
import { MODERN_VERSION, MetaKey } from '../../protocol/era.ts'
import { metaOf } from '../../protocol/era-bridge.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'

/** In every 2026-07-28 request. */
export const envelopeOf = (client: ClientHello): JsonObject => ({
  [MetaKey.protocolVersion]: client.era === 'modern' ? client.protocolVersion : MODERN_VERSION,
  [MetaKey.clientInfo]: client.clientInfo,
  [MetaKey.clientCapabilities]: client.capabilities,
})

/** Keeps an existing envelope. */
export const withEnvelope = (
  params: JsonObject | undefined,
  client: ClientHello,
  logLevel: unknown,
): JsonObject => ({
  ...params,
  _meta: {
    ...envelopeOf(client),
    ...(logLevel === undefined ? {} : { [MetaKey.logLevel]: logLevel }),
    ...metaOf(params),
  },
})
