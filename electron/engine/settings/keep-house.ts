import type { Events } from '../ground/events.ts'
import { watchFolder } from '../ground/files/watch-folder.ts'
import type { Logger } from '../ground/logger.ts'
import { startSweeping } from '../ground/sweeping.ts'
import { collectWhenIdle } from '../work/collect-garbage.ts'
import type { SettingsStore } from './settings-store.ts'

interface Swept {
  sweep(): unknown
}

/** Drops what is outdated, frees memory, and notices a data folder that is gone. */
export function keepHouse(
  options: {
    readonly dataDir: string
    readonly logger: Logger
    readonly events: Events
    readonly now: () => number
    readonly settings: Pick<SettingsStore, 'current'>
    readonly results: Swept
    readonly quarantine: Swept
    readonly cache: { readonly store: Swept }
    readonly ledger: { forgetBefore(time: number): unknown }
  },
  opened: AsyncDisposableStack,
): void {
  const { logger, events, now, settings, results, quarantine, cache, ledger } = options
  opened.defer(collectWhenIdle(events))
  opened.defer(watchFolder(options))
  opened.defer(
    startSweeping(logger, {
      results: () => results.sweep(),
      quarantine: () => quarantine.sweep(),
      calls: () => ledger.forgetBefore(now() - settings.current.ledger.keepDays * 24 * 3600_000),
      'cached results': () => cache.store.sweep(),
    }),
  )
}
