import type { SettingsDiff } from '../settings/diff-servers.ts'
import type { Events } from '../ground/events.ts'
import type { Switch } from '../settings/switch.ts'
import type { SettingsStore } from '../settings/settings-store.ts'

export interface ServerRestarts {
  /** On changed settings and restarts. */
  subscribe(listener: (change: SettingsDiff) => void): () => void
  /** Sessions get a new process with their next request; calls in progress finish first. */
  restart(serverId: string): void
  relist(): void
}

export function createServerRestarts(
  settings: Pick<SettingsStore, 'onChange' | 'current'>,
  mainSwitch: Pick<Switch, 'current'>,
  events: Pick<Events, 'on'>,
): ServerRestarts {
  const listeners = new Set<(change: SettingsDiff) => void>()
  const tell = (change: Partial<SettingsDiff>): void => {
    const whole: SettingsDiff = { added: [], removed: [], restarted: [], reshaped: [], ...change }
    for (const listener of listeners) listener(whole)
  }
  const relist = (): void => tell({ reshaped: Object.keys(settings.current.servers) })
  let wasOn = mainSwitch.current.on
  events.on('switch-changed', ({ on }) => {
    if (on !== wasOn) relist()
    wasOn = on
  })
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
    relist,
  }
}
