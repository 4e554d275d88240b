import { computed, ref, type Ref, type WritableComputedRef } from 'vue'

/** All that are there but those that the user took out, which stay out when the list changes. */
export function useChosenApps(found: Readonly<Ref<readonly string[]>>): WritableComputedRef<string[]> {
  const left = ref<readonly string[]>([])
  return computed({
    get: () => found.value.filter((app) => !left.value.includes(app)),
    set: (chosen) => {
      const absent = left.value.filter((app) => !found.value.includes(app))
      left.value = [...absent, ...found.value.filter((app) => !chosen.includes(app))]
    },
  })
}
