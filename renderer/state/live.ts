import { onScopeDispose, ref, shallowRef } from 'vue'
import type { CallSummary } from '../../shared/api/activity.ts'
import type { Badges, LiveItem } from '../../shared/api/overview.ts'
import { api } from '../api.ts'
import { isUnknownPage } from '../format/error-text.ts'

type Kind = LiveItem['kind']
type ItemOf<Wanted extends Kind> = Extract<LiveItem, { kind: Wanted }>
/** Events were missed. */
type LiveEvent = LiveItem | { readonly kind: 'reopened' }

const RETRY_MS = 2_000
/** Hidden pages disconnect, because browsers allow six connections per address. */
const KEPT_WHEN_HIDDEN_MS = 10_000

const listeners = new Set<(item: LiveEvent) => void>()

export const isOnline = ref(true)
/** The engine restarted. */
export const isSignedOut = ref(false)

/** Frame data. */
export const badges = shallowRef<Badges>()

/** By the frame, once: one stream for all screens while visible. */
export function followLive(): void {
  const over = new AbortController()
  let stop = new AbortController()
  let hiding: ReturnType<typeof setTimeout> | undefined
  let wake = (): void => {}

  const run = async (): Promise<void> => {
    for (let isFirst = true; !over.signal.aborted; isFirst = false) {
      try {
        const stream = await api.overview.live(undefined, { signal: stop.signal })
        isOnline.value = true
        isSignedOut.value = false
        if (!isFirst) tell({ kind: 'reopened' })
        for await (const item of stream) tell(item)
      } catch (error) {
        isSignedOut.value = isUnknownPage(error)
      }
      if (over.signal.aborted) return
      if (stop.signal.aborted) await new Promise<void>((resolve) => (wake = resolve))
      else {
        isOnline.value = false
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
  const onVisibility = (): void => {
    clearTimeout(hiding)
    if (document.visibilityState === 'hidden') {
      hiding = setTimeout(() => stop.abort(), KEPT_WHEN_HIDDEN_MS)
    } else if (stop.signal.aborted) {
      stop = new AbortController()
      wake()
    }
  }
  document.addEventListener('visibilitychange', onVisibility)
  void run()
  onScopeDispose(() => {
    over.abort()
    clearTimeout(hiding)
    document.removeEventListener('visibilitychange', onVisibility)
    stop.abort()
    wake()
  })
}

function tell(item: LiveEvent): void {
  if (item.kind === 'badges') badges.value = item.badges
  for (const listener of listeners) listener(item)
}

function listen(listener: (item: LiveEvent) => void): void {
  listeners.add(listener)
  onScopeDispose(() => listeners.delete(listener))
}

export function onLive<Wanted extends Kind>(kind: Wanted, listener: (item: ItemOf<Wanted>) => void): void {
  listen((item) => {
    // TypeScript can't narrow a parametrised union.
    if (item.kind === kind) listener(item as ItemOf<Wanted>)
  })
}

export const onCall = (listener: (call: CallSummary) => void): void =>
  onLive('calls', ({ calls }) => calls.forEach((call) => listener(call)))

/** Events may have been missed. */
export const onReopened = (listener: () => void): void =>
  listen((item) => {
    if (item.kind === 'reopened') listener()
  })
