import { computed, type WritableComputedRef } from 'vue'
import { useRoute, useRouter } from 'vue-router'

export function useRouteQuery(name: string, fallback: string): WritableComputedRef<string> {
  const route = useRoute()
  const router = useRouter()
  return computed({
    get: () => {
      const value = route.query[name]
      return typeof value === 'string' ? value : fallback
    },
    set: (value) => {
      const query = { ...route.query }
      if (value === fallback) delete query[name]
      else query[name] = value
      void router.replace({ path: route.path, query })
    },
  })
}
