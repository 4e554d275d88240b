import { resolve } from 'node:path'
import type { ServerSettings } from '../../shared/settings.ts'
import { RawClient } from '../helpers/raw-client.ts'
import type { Program } from './program.ts'

/** A way to a server, ready for calls. */
export interface Target {
  readonly name: string
  readonly client: RawClient
}

const relay = resolve(import.meta.dirname, 'bare-relay.ts')

/** Starts a process that speaks MCP and initialises a client. */
export async function openTarget(name: string, command: string, args: readonly string[]): Promise<Target> {
  const client = new RawClient({ command, args })
  await client.initialize()
  return { name, client }
}

export const openAlone = ({ command = '', args = [] }: ServerSettings): Promise<Target> =>
  openTarget('the server alone', command, args)

/** Two processes, like `connect` and an engine. */
export const openRelay = ({ command = '', args = [] }: ServerSettings): Promise<Target> =>
  openTarget('a bare relay in two processes', process.execPath, [relay, '2', command, ...args])

export const openConnect = (
  name: string,
  { cli }: Program,
  dataDir: string,
  server?: string,
): Promise<Target> =>
  openTarget(name, process.execPath, [
    cli,
    'connect',
    ...(server === undefined ? [] : ['--server', server]),
    '--data-dir',
    dataDir,
  ])
