import { ref, shallowRef } from 'vue'
import type { HooksPreview } from '../../shared/api/built-in.ts'
import { api } from '../api.ts'
import { useBusy } from './busy.ts'
import { useNotices } from './notices.ts'

/** An app's hooks in or out: the preview, then exactly that. */
export function useBuiltIn(onChanged: () => Promise<void>) {
  const notices = useNotices()
  const preview = shallowRef<HooksPreview>()
  const asked = shallowRef({ client: '', undo: false })
  const insists = ref(false)
  const { isBusy, run } = useBusy()
  const look = () => api.builtIn.preview({ ...asked.value, insists: insists.value })
  const read = () =>
    run('This can’t be changed', async () => {
      preview.value = await look()
    })
  return {
    preview,
    asked,
    insists,
    isBusy,
    open: (client: string, undo: boolean) => {
      asked.value = { client, undo }
      insists.value = false
      return read()
    },
    read,
    confirm: () =>
      run('The file stays as it was', async () => {
        const seen = preview.value
        if (!seen) return
        const { hash, resultHash, label } = seen
        try {
          await api.builtIn.change({ ...asked.value, insists: insists.value, hash, resultHash })
        } catch (error) {
          // The file was changed meanwhile: the reader sees what is there now.
          preview.value = await look().catch(() => undefined)
          throw error
        }
        preview.value = undefined
        notices.done(
          asked.value.undo
            ? `${label}’s own tools go past Sluice again`
            : `${label}’s own tools are covered from its next start on`,
        )
        await onChanged()
      }),
    switchOn: (client: string, tool: string) =>
      run('It stays off', async () => {
        await api.builtIn.switchOn({ client, tool })
        notices.done(`Outputs of ${tool} are shortened again`)
        await onChanged()
      }),
  }
}
