import { isDeepStrictEqual } from 'node:util'
import { ServerId } from '../../../shared/settings.ts'
import type { ServerSettings } from '../../../shared/settings.ts'

const LONGEST = 40

export function sameServer(
  wanted: ServerSettings,
  servers: Readonly<Record<string, ServerSettings>>,
): string | undefined {
  const launch = launchOf(wanted)
  return Object.entries(servers).find(([, server]) => isDeepStrictEqual(launchOf(server), launch))?.[0]
}

function launchOf({ type, command, args, env, cwd, url, headers, disabled }: ServerSettings): object {
  return {
    isSse: type === 'sse',
    command,
    args: args ?? [],
    env: env ?? {},
    cwd,
    url,
    headers: headers ?? {},
    // Disabled in one app must not disable it in others.
    disabled: disabled === true,
  }
}

/** Valid and close to the name, also free within tool names. */
export function freeServerId(name: string, taken: Iterable<string>): string {
  const inUse = new Set([...taken].map(asInToolNames))
  const base = toId(name)
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`
    const id = base.slice(0, LONGEST - suffix.length).replace(/[._]+$/, '') + suffix
    if (!inUse.has(asInToolNames(id)) && ServerId.safeParse(id).success) return id
  }
}

function toId(name: string): string {
  const cleaned = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/[._]{2,}|[._](?=[._-]*$)/g, '-')
    .replace(/^[._-]+/, '')
    .replace(/[._-]+$/, '')
  return cleaned === '' ? 'server' : cleaned
}

const asInToolNames = (id: string): string => id.replaceAll('.', '_').toLowerCase()
