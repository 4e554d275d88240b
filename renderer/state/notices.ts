import { useToast } from '@nuxt/ui/composables/useToast'
import { errorText } from '../format/error-text.ts'

export interface Notices {
  done(title: string, undo?: { label: string; run(): Promise<void> }): void
  failed(title: string, error: unknown): void
}

/** Short messages at the corner: what was done, with a way back where there is one, or what went wrong. */
export function useNotices(): Notices {
  const toast = useToast()
  const failed = (title: string, error: unknown): void =>
    void toast.add({
      title,
      description: errorText(error),
      color: 'error',
      icon: 'i-lucide-circle-alert',
      duration: 10_000,
    })
  return {
    failed,
    done: (title, undo) =>
      void toast.add({
        title,
        icon: 'i-lucide-check',
        ...(undo && {
          actions: [
            {
              label: undo.label,
              onClick: () =>
                void undo.run().catch((error: unknown) => failed(`${undo.label} did not work`, error)),
            },
          ],
        }),
      }),
  }
}
