import type { ServerSettings } from '../../../shared/settings.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { canonicalDefinition } from './definition-hash.ts'

/**
 * How a server is started or reached, without the values of secrets: names of environment variables and headers only.
 * This, not the name in config.json, is who the server is.
 */
export function launchOf(settings: ServerSettings): JsonObject {
  if (settings.command !== undefined) {
    return {
      command: settings.command,
      args: settings.args ?? [],
      env: Object.keys(settings.env ?? {}).sort(),
      ...(settings.cwd === undefined ? {} : { cwd: settings.cwd }),
    }
  }
  return { url: settings.url ?? '', headers: Object.keys(settings.headers ?? {}).sort() }
}

export const identityOf = (settings: ServerSettings): string => canonicalDefinition(launchOf(settings)).hash
