import { existsSync } from 'node:fs'
import type { LostLauncher } from '../../shared/api/desktop.ts'
import type { Launcher, NoLauncher } from '../engine/client-configs/entries/sluice-entry.ts'
import { findLostLaunchers, repairLaunchers } from '../engine/client-configs/repair-launchers.ts'
import { nodeClientFiles } from '../engine/client-configs/node-client-files.ts'
import type { Machine } from '../engine/ground/surroundings.ts'

export interface LaunchersOptions extends Machine {
  /** Without it no entry is checked. */
  readonly launcher: Launcher | NoLauncher
  readonly dataDir: string
}

export function createLaunchers(options: LaunchersOptions) {
  const { launcher } = options
  const own =
    'command' in launcher ? { ...options, launcher, files: nodeClientFiles, exists: existsSync } : undefined
  let port = 0
  let lost: readonly LostLauncher[] = []
  const look = (): void => {
    if (!own) return
    lost = findLostLaunchers({ ...own, httpPort: port })
  }
  return {
    get lost() {
      return lost
    },
    look: (httpPort: number): void => {
      port = httpPort
      look()
    },
    /** Returns server names. Throws user-readable errors. */
    repair: (paths: readonly string[]): string[] => {
      if (!own) return []
      try {
        return lost
          .filter(({ path }) => paths.includes(path))
          .flatMap(({ client, path }) => repairLaunchers(client, path, { ...own, httpPort: port }))
      } finally {
        look()
      }
    },
  }
}
