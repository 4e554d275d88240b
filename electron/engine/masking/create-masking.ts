import type { Events } from '../ground/events.ts'
import type { RootLogger } from '../ground/logger.ts'
import { usesMasking } from '../settings/resolve-policy.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import { createSessionMasking } from './masking.ts'
import type { Database } from '../ground/database/database.ts'
import { findSecrets } from './find-secrets.ts'
import type { FindInTexts } from './mask-texts.ts'
import {
  createMaskAllForRemote,
  createMaskForRemote,
  createMaskHere,
  remoteMasking,
} from './remote-masking.ts'
import { createPlaceholderNumbers } from './placeholder-numbers.ts'
import { loadSearch, type Search } from './search.ts'
import type { NextNumber } from './vault.ts'
import { isNear } from '../work/near.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

/** Only a custom pattern reaches this, such as `.*x|y` in a text without an x. */
const SEARCH_LIMIT_MS = 5_000
const SEARCH_LIMIT_MS_PER_CHARACTER = 0.005

function maskingOptions({ workers, database }: { workers: WorkerPool; database: Database }): {
  find: FindInTexts
  /** Synchronous; undefined until `load` has ended. */
  search: () => Search | undefined
  load: () => Promise<Search>
  nextNumber: NextNumber
} {
  let loading: Promise<Search> | undefined
  let loaded: Search | undefined
  const load = (): Promise<Search> => (loading ??= loadSearch().then((search) => (loaded = search)))
  return {
    search: () => loaded,
    load,
    find: async (input) => {
      const characters = input.texts.reduce((sum, { text }) => sum + text.length, 0)
      const isSmall =
        isNear('find-personal-data', characters) && Object.keys(input.customPatterns).length === 0
      if (isSmall) return (await load()).findInTexts(input)
      const timeoutMs = SEARCH_LIMIT_MS + characters * SEARCH_LIMIT_MS_PER_CHARACTER
      return workers.run('find-personal-data', input, { timeoutMs })
    },
    nextNumber: createPlaceholderNumbers(database),
  }
}

/** By the settings; also masks the log. The search is loaded only where it is in use. */
export async function createMasking(options: {
  workers: WorkerPool
  database: Database
  settings: Pick<SettingsStore, 'current'>
  events: Pick<Events, 'on'>
  logger: Pick<RootLogger, 'hideBy'>
}) {
  const { settings, events, logger } = options
  const joined = maskingOptions(options)
  const masking = createSessionMasking(joined)
  const prepare = async (): Promise<void> => {
    if (usesMasking(settings.current)) await joined.load()
  }
  await prepare()
  events.on('settings-changed', () => void prepare())
  events.on('session-closed', ({ sessionId }) => masking.endSession(sessionId))
  logger.hideBy((text) => (usesMasking(settings.current) ? masking.cleanLogText(text) : text))
  return {
    masking,
    findSecrets,
    maskForRemote: createMaskForRemote(joined.find, settings),
    maskAllForRemote: createMaskAllForRemote(joined.find, settings),
    maskHere: createMaskHere(() => remoteMasking(settings.current)),
  }
}
