import type { ServerSettings } from '../../../shared/settings.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { canonicalDefinition } from './definition-hash.ts'
import { blankLaunch } from './launch-secrets.ts'

/**
 * How a server is started or reached, without the values of secrets: names of environment variables and headers only, and
 * of arguments and addresses what is no secret. This, not the name in config.json, is who the server is.
 */
export function launchOf(settings: ServerSettings): JsonObject {
  if (settings.command !== undefined) {
    return blankLaunch({
      command: settings.command,
      args: settings.args ?? [],
      env: Object.keys(settings.env ?? {}).sort(),
      ...(settings.cwd === undefined ? {} : { cwd: settings.cwd }),
    })
  }
  return blankLaunch({ url: settings.url ?? '', headers: Object.keys(settings.headers ?? {}).sort() })
}

export const identityOf = (settings: ServerSettings): string => canonicalDefinition(launchOf(settings)).hash
