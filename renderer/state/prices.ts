import { computed } from 'vue'
import type { OwnPrice } from '../../shared/api/prices.ts'
import { api } from '../api.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'

export function usePrices() {
  const notices = useNotices()
  const list = useQuery(() => api.stats.prices())
  const chosen = computed(() => list.data.value?.chosen)
  const change = async (work: () => Promise<unknown>, failed: string): Promise<void> => {
    await notices.attempt(failed, work)
    await list.reload()
  }
  return {
    list,
    chosen,
    choose: (model: string | undefined) =>
      change(() => api.stats.chooseModel(model === undefined ? {} : { model }), 'The model was not kept'),
    set: (model: string, price: OwnPrice) =>
      change(() => api.stats.setPrice({ model, ...price }), 'The price stays as it was'),
    remove: (model: string) => change(() => api.stats.removePrice({ model }), 'The price stays as it was'),
  }
}
