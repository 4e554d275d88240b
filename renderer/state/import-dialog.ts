import { computed, ref, shallowRef, watch } from 'vue'
import type { ClientApp } from '../../shared/api/clients.ts'
import { api } from '../api.ts'
import { errorText } from '../format/error-text.ts'
import { useClientList } from './clients.ts'
import { useNotices } from './notices.ts'
import { leftOutOf, useServerReview } from './server-review.ts'

interface ImportSource {
  readonly key: string
  readonly client: string
  readonly label: string
  readonly path: string
  readonly count: number
}

const sourcesOf = ({ id, label, files }: ClientApp): ImportSource[] =>
  files.flatMap(({ path, servers }) => {
    const count = servers.filter(({ state }) => state === 'not wrapped').length
    return count === 0 ? [] : [{ key: `${id} ${path}`, client: id, label, path, count }]
  })

export function useImportDialog(onImported: (ids: readonly string[]) => Promise<void>) {
  const list = useClientList()
  const review = useServerReview()
  const sources = computed(() => (list.data.value ?? []).flatMap(sourcesOf))
  const key = ref('')
  const source = computed(() => sources.value.find((each) => each.key === key.value))
  const failure = ref('')
  const notices = useNotices()
  const isWorking = ref(false)
  const remarks = shallowRef<readonly string[]>([])
  const keepKeys = ref(true)

  const lookAgain = (): void => {
    if (!source.value) return void list.reload()
    const { client, path } = source.value
    void review.look((leaveOut, signal) =>
      api.clients.review(
        { purpose: 'import', requests: [{ client, path, leaveOut: leftOutOf(leaveOut) }] },
        { signal },
      ),
    )
  }

  watch(source, (now, before) => {
    if (now?.key === before?.key) return
    // Nothing is started before the user says so.
    failure.value = ''
    review.end()
  })
  return {
    list,
    sources,
    key,
    source,
    review,
    failure,
    isWorking,
    remarks,
    keepKeys,
    lookAgain,
    confirm: async (): Promise<void> => {
      const from = source.value
      if (!from) return
      isWorking.value = true
      failure.value = ''
      try {
        const { client, path } = from
        const leaveOut = leftOutOf(review.rows.value.filter((row) => !review.chosen.value.has(row.key)))
        const { added, warnings } = await api.clients.import({
          client,
          path,
          leaveOut,
          reviews: [...review.ids.value],
          keepKeys: keepKeys.value,
        })
        review.end()
        for (const warning of warnings) notices.done(warning)
        await onImported(added)
      } catch (error) {
        failure.value = errorText(error)
      } finally {
        isWorking.value = false
      }
    },
  }
}
