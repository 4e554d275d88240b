import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isServerId, RESERVED_SERVER_ID } from '../../shared/server-id.ts'
import { connectToEngine } from '../engine/clients/connector/connect.ts'
import { processParent } from '../engine/clients/connector/parent-watch.ts'
import type { SessionScope } from '../engine/clients/transports/client-session.ts'
import { definedOnly } from '../engine/ground/defined-only.ts'
import type { CommonOptions, ConnectContext } from './cli-context.ts'
import { defaultDataDir } from './data-dir.ts'

// Many connectors run at once, and clients wait for them: nothing here loads a library.

export interface ConnectOptions {
  readonly server?: string | undefined
  readonly client?: string | undefined
  readonly profile?: string | undefined
}

/** Undefined: for the program, which knows all commands, asks for help and says what is wrong. */
export function connectOf(
  argv: readonly string[],
  context: ConnectContext,
): { readonly options: ConnectOptions; readonly common: CommonOptions } | undefined {
  if (!argv.includes('connect')) return undefined
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: {
        server: { type: 'string' },
        client: { type: 'string' },
        profile: { type: 'string' },
        'data-dir': { type: 'string', default: defaultDataDir(context) },
        verbose: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
    const { server, client, profile, 'data-dir': dataDir, verbose } = values
    if (positionals.join() !== 'connect' || !isScope(server)) return undefined
    if (profile !== undefined && server !== undefined) return undefined
    if (dataDir.trim() === '') return undefined
    return {
      options: { server, client, profile },
      common: { dataDir: resolve(context.cwd, dataDir), verbose },
    }
  } catch {
    return undefined
  }
}

/** Resolves with the exit code. */
export async function runConnect(
  { server, client, profile }: ConnectOptions,
  common: CommonOptions,
  context: ConnectContext,
): Promise<number> {
  return connectToEngine({
    dataDir: common.dataDir,
    platform: context.platform,
    tempDir: context.tempDir,
    scope: await toScope(server, profile),
    client: { ...(client ? { name: client } : {}), cwd: context.cwd, env: definedOnly(context.env) },
    stdin: context.stdin,
    stdout: context.stdout,
    stderr: context.stderr,
    parent: processParent,
    signals: context.signals,
    engineCommand: async () => (await import('./launcher.ts')).backgroundEngine(context, common),
  })
}

const isScope = (server: string | undefined): boolean =>
  server === undefined || server === RESERVED_SERVER_ID || isServerId(server)

async function toScope(server: string | undefined, profile: string | undefined): Promise<SessionScope> {
  if (server === undefined) return { kind: 'all', ...(profile ? { profile } : {}) }
  if (server === RESERVED_SERVER_ID) return { kind: 'sluice' }
  if (isServerId(server)) return { kind: 'server', serverId: server }
  const { whyNoServerId } = await import('./why-no-server-id.ts')
  throw whyNoServerId(server)
}
