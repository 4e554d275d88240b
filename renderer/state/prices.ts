import { computed, ref } from 'vue'
import type { Price } from '../../shared/api/prices.ts'
import { api } from '../api.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'

export function usePrices() {
  const notices = useNotices()
  const list = useQuery(() => api.stats.prices())
  const picked = ref<string>()
  const price = computed<Price | undefined>(() => {
    const known = list.data.value
    const model = picked.value ?? known?.chosen
    return known?.prices.find((item) => item.model === model) ?? known?.prices[0]
  })
  const change = async (work: () => Promise<unknown>, failed: string): Promise<void> => {
    try {
      await work()
    } catch (error) {
      notices.failed(failed, error)
    }
    await list.reload()
  }
  return {
    list,
    price,
    choose: (model: string) => {
      picked.value = model
      return change(() => api.stats.chooseModel({ model }), 'The model was not kept')
    },
    set: (model: string, inputPerMillion: number) =>
      change(() => api.stats.setPrice({ model, inputPerMillion }), 'The price stays as it was'),
    remove: (model: string) => change(() => api.stats.removePrice({ model }), 'The price stays as it was'),
  }
}
