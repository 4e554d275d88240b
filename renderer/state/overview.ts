import { onScopeDispose, ref, watch, type Ref } from 'vue'
import type { Overview } from '../../shared/api/overview.ts'
import { api } from '../api.ts'

const RETRY_MS = 3_000

/** The overview of the last `days`, read again whenever a call is recorded; `failure` says why it can't be. */
export function useOverview(days: Ref<number>): {
  overview: Ref<Overview | undefined>
  failure: Ref<string>
} {
  const overview = ref<Overview>()
  const failure = ref('')
  const stop = new AbortController()
  let reading = false
  let again = false

  const read = async (): Promise<void> => {
    if (reading) {
      again = true
      return
    }
    reading = true
    try {
      overview.value = await api.overview.get({ days: days.value })
      failure.value = ''
    } catch (error) {
      failure.value = `The engine does not answer (${error instanceof Error ? error.message : String(error)}). Start it with “npm start” and open the link it prints.`
    } finally {
      reading = false
      if (again) {
        again = false
        void read()
      }
    }
  }

  const follow = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await read()
        for await (const _call of await api.activity.live(undefined, { signal: stop.signal })) await read()
      } catch {
        // The stream ends with the engine; the next reading says so to the user.
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  watch(days, () => void read())
  void follow()
  onScopeDispose(() => stop.abort())
  return { overview, failure }
}
