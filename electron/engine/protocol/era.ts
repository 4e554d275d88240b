import type { JsonObject } from './json-rpc.ts'

/** Sessions opened by `initialize`, or self-contained requests (2026-07-28). */
export type Era = 'legacy' | 'modern'

export const MODERN_VERSION = '2026-07-28'
export const LATEST_LEGACY_VERSION = '2025-11-25'
export const LEGACY_VERSIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]

/** Removed in 2026-07-28: unknown methods to its clients. */
export const removedFromModern: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])

/** In a modern request's `params._meta`. */
export const MetaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const

export interface Implementation {
  name: string
  version: string
  [key: string]: unknown
}

export interface ServerHello {
  era: Era
  protocolVersion: string
  capabilities: JsonObject
  serverInfo: Implementation
  instructions?: string
  raw: JsonObject
}

export interface ClientHello {
  era: Era
  protocolVersion: string
  capabilities: JsonObject
  clientInfo: Implementation
}
