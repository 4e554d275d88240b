import type { ServerSettings } from '../../../shared/settings.ts'
import type { Importable } from '../client-configs/import-servers.ts'
import { SluiceError } from '../ground/errors.ts'
import { keepKeys, plainKeys } from '../ground/secrets/plain-keys.ts'
import type { ScreensOptions } from './screens-options.ts'

type Keeping = Pick<ScreensOptions, 'secrets'>

export async function withoutKeys(
  { secrets }: Keeping,
  serverId: string,
  settings: ServerSettings,
): Promise<ServerSettings> {
  if (plainKeys(settings).length === 0) return settings
  if (!secrets)
    throw new SluiceError(
      'BAD_INPUT',
      'This Sluice keeps no secrets, so nothing was added. Add it with its key in config.json, or run "sluice secrets keep" afterwards.',
    )
  return (await keepKeys(serverId, settings, secrets)).settings
}

/** For all new servers. */
export async function importableWithoutKeys(options: Keeping, found: Importable): Promise<Importable> {
  const servers = []
  for (const server of found.servers)
    servers.push(
      server.isNew
        ? { ...server, settings: await withoutKeys(options, server.serverId, server.settings) }
        : server,
    )
  return { ...found, servers }
}
