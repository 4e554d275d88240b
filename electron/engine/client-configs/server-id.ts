import { isDeepStrictEqual } from 'node:util'
import { ServerId } from '../../../shared/settings.ts'
import type { ServerSettings } from '../../../shared/settings.ts'
import { launchFields } from '../settings/server-hash.ts'
import { nameOfAddress, nameOfLaunch } from './name-of-launch.ts'

const LONGEST = 40

function sameServer(
  wanted: ServerSettings,
  servers: Readonly<Record<string, ServerSettings>>,
): string | undefined {
  const launch = launchOf(wanted)
  return Object.entries(servers).find(([, server]) => isDeepStrictEqual(launchOf(server), launch))?.[0]
}

/** The id of the same server in `known`, or a new one, which is added there. */
export function idIn(
  known: Record<string, ServerSettings>,
  name: string,
  settings: ServerSettings,
): { readonly serverId: string; readonly isNew: boolean } {
  const same = sameServer(settings, known)
  const serverId = same ?? freeServerId(name, Object.keys(known), settings)
  known[serverId] ??= settings
  return { serverId, isNew: same === undefined }
}

/** With `disabled`: a server that is disabled in one app stays enabled in others. */
const launchOf = (server: ServerSettings): object => ({
  ...launchFields(server),
  isSse: server.type === 'sse',
  disabled: server.disabled === true,
})

export const isServerId = (name: string): boolean => ServerId.safeParse(name).success

/**
 * Valid and close to the name, also free within tool names. A name without a letter of an id, as in Chinese, gives way
 * to that of the package or address.
 */
export function freeServerId(
  name: string,
  taken: Iterable<string>,
  { command, args = [], url }: Pick<ServerSettings, 'command' | 'args' | 'url'> = {},
): string {
  const inUse = new Set([...taken].map(asInToolNames))
  const ofLaunch = (): string =>
    command !== undefined
      ? nameOfLaunch([command, ...args])
      : url !== undefined && URL.canParse(url)
        ? nameOfAddress(url)
        : ''
  const base = toId(name) || toId(ofLaunch()) || 'server'
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`
    const id = base.slice(0, LONGEST - suffix.length).replace(/[._]+$/, '') + suffix
    if (!inUse.has(asInToolNames(id)) && isServerId(id)) return id
  }
}

function toId(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/[._]{2,}|[._](?=[._-]*$)/g, '-')
    .replace(/^[._-]+/, '')
    .replace(/[._-]+$/, '')
}

const asInToolNames = (id: string): string => id.replaceAll('.', '_').toLowerCase()
