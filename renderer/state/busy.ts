import { ref, type Ref } from 'vue'
import { useNotices } from './notices.ts'

export function useBusy(): {
  readonly isBusy: Ref<boolean>
  readonly run: (failed: string, work: () => Promise<unknown>) => Promise<void>
} {
  const notices = useNotices()
  const isBusy = ref(false)
  const run = async (failed: string, work: () => Promise<unknown>): Promise<void> => {
    isBusy.value = true
    try {
      await work()
    } catch (error) {
      notices.failed(failed, error)
    } finally {
      isBusy.value = false
    }
  }
  return { isBusy, run }
}
