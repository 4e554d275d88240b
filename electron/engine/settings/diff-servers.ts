import type { SettingsEffect } from '../../../shared/api/settings.ts'
import type { ServerSettings, Settings } from '../../../shared/settings.ts'
import { sortedJson, serverHash } from './server-hash.ts'

declare module '../ground/events.ts' {
  interface EngineEvents {
    'settings-changed': SettingsDiff
  }
}

export type SettingsDiff = SettingsEffect

export function diffServers(before: Settings, after: Settings): SettingsDiff {
  const old = enabled(before)
  const young = enabled(after)
  const both = [...young.keys()].filter((id) => old.has(id))
  const restarted = both.filter((id) => launch(old.get(id)) !== launch(young.get(id)))
  const globalChanged = globalPolicy(before) !== globalPolicy(after)
  return {
    added: [...young.keys()].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !young.has(id)),
    restarted,
    reshaped: both.filter(
      (id) =>
        !restarted.includes(id) && (globalChanged || sortedJson(old.get(id)) !== sortedJson(young.get(id))),
    ),
  }
}

const enabled = (settings: Settings): Map<string, ServerSettings> =>
  new Map(Object.entries(settings.servers).filter(([, server]) => server.disabled !== true))

const launch = (server: ServerSettings | undefined): string => (server ? serverHash(server) : '')

function globalPolicy(settings: Settings): string {
  const { compression, cache, guard, masking, toolList, approvals, profiles, profile = null } = settings
  const { approveTool } = approvals
  return sortedJson({ compression, cache, guard, masking, toolList, approveTool, profiles, profile })
}
