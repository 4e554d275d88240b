import { type Ref, watch } from 'vue'
import type { Router } from 'vue-router'
import type { Notices } from './notices.ts'

/** In the words of the browsers, and of Vite for styles. */
const NOT_LOADED =
  /dynamically imported module|importing a module script failed|unable to preload css|failed to fetch/i
/** Otherwise a file that is missing for good would reload the page forever. */
const RELOADS_AFTER_MS = 30_000
const RELOADED = 'sluice-reloaded-at'

export interface MissingScreenOptions {
  readonly isOnline: Ref<boolean>
  readonly notices: Pick<Notices, 'failed'>
  /** Whether the engine has the page. */
  readonly isReachable: () => Promise<boolean>
  /** At this address. */
  readonly reload: (path: string) => void
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly now: () => number
}

/**
 * A screen's files come with its first visit. Without the engine it opens once the engine answers; files of another
 * version are had by a reload.
 */
export function followMissingScreens(router: Router, options: MissingScreenOptions): void {
  const { isOnline, notices, isReachable, reload, storage, now } = options
  let wanted: string | undefined
  router.afterEach((_to, _from, failure) => {
    if (failure === undefined) wanted = undefined
  })
  watch(isOnline, (online) => {
    if (online && wanted !== undefined) void router.push(wanted).catch(() => {})
  })
  router.onError(async (error: unknown, { fullPath }) => {
    if (!(error instanceof Error) || !NOT_LOADED.test(error.message)) return
    const title = 'The screen was not loaded'
    if (!(await isReachable())) {
      wanted = fullPath
      return notices.failed(title, new Error('The engine does not answer. The screen opens once it does.'))
    }
    if (now() - Number(storage.getItem(RELOADED)) < RELOADS_AFTER_MS)
      return notices.failed(
        title,
        new Error('Its files are missing. Reload the page, or start Sluice again.'),
      )
    storage.setItem(RELOADED, String(now()))
    reload(fullPath)
  })
}
