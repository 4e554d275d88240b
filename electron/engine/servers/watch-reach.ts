import type { FetchLike } from '@modelcontextprotocol/client'
import { wasNeverSent } from './upstream/never-sent.ts'

/** A server that restarts is soon back: for so long nobody is told. */
const UNNOTICED_MS = 1000

/**
 * The same `fetch`, which tells when there is no way to the server any more (with the reason), and when there is again (with
 * undefined). A connection over HTTP stays open meanwhile, since nothing of it is lost.
 */
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
