import { onScopeDispose, ref, shallowRef, watch, type Ref, type WatchSource } from 'vue'
import { errorText } from '../format/error-text.ts'
import { onReopened } from './live.ts'

const SKELETON_AFTER_MS = 200
const REFRESH_EVERY_MS = 1_000
/** Slow queries repeat less often, to keep the engine available. */
const REST_FACTOR = 4
const LONGEST_REST_MS = 5_000

export interface Query<T> {
  /** Last valid answer; kept during updates and failures. */
  readonly data: Readonly<Ref<T | undefined>>
  readonly failure: Readonly<Ref<string>>
  /** The first answer takes longer than a person notices. */
  readonly waiting: Readonly<Ref<boolean>>
  reload(): Promise<void>
  /** Merges requests within a second (or longer for slow answers). */
  refreshSoon(): void
}

export type Reading = Pick<Query<unknown>, 'failure' | 'waiting' | 'reload'>

export function useQuery<T>(
  load: () => Promise<T>,
  sources: WatchSource[] = [],
  { everyMs = REFRESH_EVERY_MS }: { readonly everyMs?: number } = {},
): Query<T> {
  const data = shallowRef<T>()
  const failure = ref('')
  const waiting = ref(false)
  let latest = 0
  let planned: ReturnType<typeof setTimeout> | undefined
  let tookMs = 0
  let newest: Promise<void> = Promise.resolve()

  const reload = (): Promise<void> => (newest = ask())
  const ask = async (): Promise<void> => {
    const mine = ++latest
    const skeleton = setTimeout(() => (waiting.value = data.value === undefined), SKELETON_AFTER_MS)
    const asked = performance.now()
    try {
      const answer = await load()
      tookMs = performance.now() - asked
      if (mine === latest) {
        data.value = answer
        failure.value = ''
      }
    } catch (error) {
      if (mine === latest) failure.value = errorText(error)
    }
    clearTimeout(skeleton)
    if (mine === latest) waiting.value = false
    else await newest
  }

  const refreshSoon = (): void => {
    planned ??= setTimeout(
      () => {
        planned = undefined
        void reload()
      },
      Math.max(everyMs, Math.min(tookMs * REST_FACTOR, LONGEST_REST_MS)),
    )
  }

  watch(sources, () => void reload())
  onReopened(() => void reload())
  void reload()
  onScopeDispose(() => clearTimeout(planned))
  return { data, failure, waiting, reload, refreshSoon }
}
