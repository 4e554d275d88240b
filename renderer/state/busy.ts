import { ref } from 'vue'
import { useNotices } from './notices.ts'

export function useBusy() {
  const notices = useNotices()
  const isBusy = ref(false)
  const run = async (failed: string, work: () => Promise<unknown>): Promise<void> => {
    isBusy.value = true
    await notices.attempt(failed, work)
    isBusy.value = false
  }
  return { isBusy, run }
}
