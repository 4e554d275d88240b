import { useColorMode } from '@vueuse/core'
import { computed, type Ref } from 'vue'

export type Theme = 'auto' | 'light' | 'dark'

const mode = useColorMode({ disableTransition: true })

export const theme: Ref<Theme> = computed({
  get: () => mode.store.value,
  set: (value) => (mode.value = value),
})
