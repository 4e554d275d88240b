import { computed, ref, watch } from 'vue'
import type { ServerReview } from './server-review.ts'

export function useShownRow({ rows, chosen }: Pick<ServerReview, 'rows' | 'chosen'>) {
  const shown = ref('')
  watch(rows, (now) => {
    if (!now.some(({ key }) => key === shown.value)) shown.value = now[0]?.key ?? ''
  })
  return {
    shown,
    row: computed(() => rows.value.find(({ key }) => key === shown.value)),
    wanted: computed(() => rows.value.filter(({ key }) => chosen.value.has(key))),
  }
}
