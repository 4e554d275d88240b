import type { FetchLike } from '@modelcontextprotocol/client'
import { wasNeverSent } from './upstream/never-sent.ts'

/** Restarts are short: unreported for this long. */
const UNNOTICED_MS = 1000

/** Reports loss (with reason) and return (undefined). The HTTP connection stays open meanwhile: nothing is lost. */
export function watchReach(fetch: FetchLike, onReach: (reason: unknown) => void): FetchLike {
  const state: { since: number | undefined; isAway: boolean } = { since: undefined, isAway: false }
  return async (input, init) => {
    try {
      const response = await fetch(input, init)
      state.since = undefined
      if (state.isAway) {
        state.isAway = false
        onReach(undefined)
      }
      return response
    } catch (error) {
      if (!wasNeverSent(error)) throw error
      const now = performance.now()
      state.since ??= now
      if (!state.isAway && now - state.since >= UNNOTICED_MS) {
        state.isAway = true
        onReach(error)
      }
      throw error
    }
  }
}
