import { onScopeDispose, ref, type Ref } from 'vue'
import type { CallSummary } from '../../shared/api/activity.ts'
import { api } from '../api.ts'
import { follow } from './follow.ts'

const listeners = new Set<(call: CallSummary) => void>()

/** Whether the engine answers; the frame says so when it does not. */
export const isOnline = ref(true)

/** Called once by the frame: one stream of calls serves every screen. */
export function followCalls(): { isOnline: Ref<boolean> } {
  follow(
    (signal) => api.activity.live(undefined, { signal }),
    (call) => listeners.forEach((listener) => listener(call)),
    (isOpen) => (isOnline.value = isOpen),
  )
  return { isOnline }
}

/** Hears of each call as it is recorded, for as long as the scope lives. */
export function onCall(listener: (call: CallSummary) => void): void {
  listeners.add(listener)
  onScopeDispose(() => listeners.delete(listener))
}
