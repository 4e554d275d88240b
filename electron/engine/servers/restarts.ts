import type { SettingsDiff } from '../settings/diff-servers.ts'
import type { SettingsStore } from '../settings/settings-store.ts'

/** Lets a server be started anew although its settings stay: sessions hear of it as of a changed launch. */
export interface ServerRestarts {
  /** Hears of changed settings and of restarts. */
  subscribe(listener: (change: SettingsDiff) => void): () => void
  /** Every session gets a new process with its next request; calls in flight end first. */
  restart(serverId: string): void
  /** Every session tells its client to read the lists of all servers again. */
  relist(): void
}

export function createServerRestarts(settings: Pick<SettingsStore, 'onChange' | 'current'>): ServerRestarts {
  const listeners = new Set<(change: SettingsDiff) => void>()
  const tell = (change: Partial<SettingsDiff>): void => {
    const whole: SettingsDiff = { added: [], removed: [], restarted: [], reshaped: [], ...change }
    for (const listener of listeners) listener(whole)
  }
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      const stop = settings.onChange(listener)
      return () => {
        listeners.delete(listener)
        stop()
      }
    },
    restart: (serverId) => tell({ restarted: [serverId] }),
    relist: () => tell({ reshaped: Object.keys(settings.current.servers) }),
  }
}
