import { stringIn, type JsonObject } from '../../protocol/json-rpc.ts'
import type { SessionScope } from './client-session.ts'

/** For errors. */
export function describeRequest(scope: SessionScope, method: string, params: JsonObject | undefined): string {
  const of = scope.kind === 'server' ? ` of server "${scope.serverId}"` : ''
  const name = stringIn(params, 'name') || stringIn(params, 'uri')
  if (method === 'tools/call') return `the tool "${name}"${of}`
  return name === '' ? `${method}${of}` : `${method} "${name}"${of}`
}
