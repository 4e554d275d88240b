import { computed, onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'
import type { LogFilter, LogLine } from '../../shared/api/logs.ts'
import { api } from '../api.ts'
import { errorText } from '../format/error-text.ts'
import type { Reading } from './query.ts'

const MOST_LINES = 2_000
const RETRY_MS = 2_000

export function useLogs(filter: Ref<LogFilter>) {
  const lines = shallowRef<readonly LogLine[]>([])
  const failure = ref('')
  const isRead = ref(false)
  let stop = new AbortController()
  let pending: LogLine[] = []
  let frame = 0

  const add = (line: LogLine): void => {
    pending.push(line)
    if (frame !== 0) return
    frame = requestAnimationFrame(() => {
      frame = 0
      lines.value = [...lines.value, ...pending].slice(-MOST_LINES)
      pending = []
    })
  }

  const read = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      try {
        lines.value = []
        const stream = await api.logs.stream({ ...filter.value, last: 500 }, { signal })
        failure.value = ''
        isRead.value = true
        for await (const line of stream) add(line)
      } catch (error) {
        if (!signal.aborted) failure.value = errorText(error)
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  const start = (): void => {
    stop.abort()
    stop = new AbortController()
    pending = []
    void read(stop.signal)
  }
  watch(filter, start, { immediate: true })
  onScopeDispose(() => stop.abort())
  const query: Reading = { failure, waiting: computed(() => !isRead.value), reload: async () => start() }
  return { lines, isRead, query }
}
