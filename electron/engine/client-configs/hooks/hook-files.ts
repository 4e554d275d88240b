import type { Settings } from '../../../../shared/settings.ts'
import type { Machine } from '../../ground/surroundings.ts'
import type { ClientFiles } from '../client-files.ts'
import { clientNamed } from '../clients.ts'
import { type Launcher, launcherOrNone, type NoLauncher } from '../entries/sluice-entry.ts'
import { findClient } from '../find-clients.ts'
import { hasHooks } from './hook-state.ts'

/** What the engine has to know of apps' files to answer their hooks. */
export function hookFiles(
  machine: Machine,
  {
    files,
    launcher,
    settings,
  }: {
    readonly files: ClientFiles
    readonly launcher?: Launcher | NoLauncher
    readonly settings: { readonly current: Pick<Settings, 'http'> }
  },
) {
  return {
    hasHooks: () => hasHooks(machine, files),
    /** By what name the app has an MCP server behind Sluice. */
    entryOf: (app: string): string | undefined => {
      const client = clientNamed(app)
      if (!client) return undefined
      const own = { launcher: launcherOrNone(launcher), httpPort: settings.current.http.port }
      const found = findClient(client, { ...machine, files, own }).files.flatMap(({ servers }) => servers)
      const isOwn = (state: string): boolean => state === 'sluice itself' || state === 'wrapped'
      return found.find(({ state, disabled }) => isOwn(state) && !disabled)?.name
    },
  }
}
