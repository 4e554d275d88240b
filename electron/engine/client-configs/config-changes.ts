import type { ServerSettings } from '../../../shared/settings.ts'
import type { SettingsEdit } from '../settings/edit-config.ts'
import type { ClientFiles } from './client-files.ts'
import { hashOf } from './load-client-file.ts'

export interface WrapSettings {
  /** config.json. */
  readonly path: string
  readonly current: {
    readonly servers: Readonly<Record<string, ServerSettings>>
    readonly http: { readonly port: number }
  }
  update(edits: readonly SettingsEdit[]): void
  reload(): void
}

/** Returns a function that undoes it. */
export function addServers(
  servers: Readonly<Record<string, ServerSettings>>,
  settings: WrapSettings,
  files: ClientFiles,
): () => void {
  const ids = Object.keys(servers)
  if (ids.length === 0) return () => {}
  const facts = files.facts(settings.path)
  const before = facts ? files.read(settings.path) : undefined
  settings.update(Object.entries(servers).map(([id, server]) => ({ path: ['servers', id], value: server })))
  const after = hashOf(files.read(settings.path))
  return () => {
    if (facts && before && hashOf(files.read(settings.path)) === after) {
      files.replace(settings.path, before, facts)
      settings.reload()
      return
    }
    // Changed meanwhile, or newly created: remove at least the servers.
    removeServers(ids, settings)
    if (!before) files.remove(settings.path)
  }
}

export function removeServers(ids: readonly string[], settings: WrapSettings): void {
  const present = ids.filter((id) => Object.hasOwn(settings.current.servers, id))
  if (present.length > 0) settings.update(present.map((id) => ({ path: ['servers', id], value: undefined })))
}
