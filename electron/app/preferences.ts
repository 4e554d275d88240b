import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import Store from 'electron-store'
import { z } from 'zod'
import { Theme, type NoticeKind } from '../../shared/api/desktop.ts'
import { messageOf } from '../engine/ground/errors.ts'

const Bounds = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
})
export type Bounds = z.infer<typeof Bounds>

const shown = z.boolean().catch(true)
/** From another version or edited by hand: invalid fields are ignored. */
const Preferences = z.object({
  bounds: Bounds.optional().catch(undefined),
  isMaximised: z.boolean().catch(false),
  theme: Theme.catch('auto'),
  notices: z
    .object({
      changes: shown,
      quarantine: shown,
      failures: shown,
      downloads: shown,
      budgets: shown,
    } satisfies Record<NoticeKind, z.ZodType>)
    .catch({ changes: true, quarantine: true, failures: true, downloads: true, budgets: true }),
  approvals: z.enum(['notify', 'open']).catch('notify'),
  updates: z.boolean().catch(true),
  /** Where the app is once its window is closed. */
  wasToldOfTray: z.boolean().catch(false),
})
type Preferences = z.infer<typeof Preferences>

export interface PreferenceStore {
  readonly current: Preferences
  set(change: Partial<Preferences>): void
}

const NAME = 'preferences'

export function openPreferences(report: (message: string) => void): PreferenceStore {
  const store = openStore(report)
  let current = Preferences.parse(store.store)
  return {
    get current() {
      return current
    },
    set: (change) => {
      current = { ...current, ...change }
      const { bounds, ...others } = current
      store.store = bounds === undefined ? others : { ...others, bounds }
    },
  }
}

function openStore(report: (message: string) => void): Store {
  try {
    return new Store({ name: NAME })
  } catch (error) {
    const path = join(app.getPath('userData'), `${NAME}.json`)
    if (!existsSync(path)) throw error
    const aside = `${path}.damaged`
    renameSync(path, aside)
    report(
      `The desktop app's choices could not be read, so it starts without them; the file is now ${aside}. ${messageOf(error)}`,
    )
    return new Store({ name: NAME })
  }
}
