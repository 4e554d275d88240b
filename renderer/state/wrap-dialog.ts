import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import type { WrapPreview } from '../../shared/api/clients.ts'
import { api } from '../api.ts'
import { errorText } from '../format/error-text.ts'
import { keyOf, useServerReview, type ServerReview } from './server-review.ts'

export interface WrapTarget {
  readonly client: string
  readonly label: string
  readonly path: string
  readonly isPartlyWrapped: boolean
}

interface WrapResult {
  readonly wrapped: readonly string[]
  readonly left: readonly string[]
  /** Not looked at: blocked until approved. */
  readonly blocked: readonly string[]
  readonly approved: number
  readonly advice: string
}

export interface WrapDialog {
  readonly target: Readonly<Ref<WrapTarget | undefined>>
  readonly review: ServerReview
  /** For the current selection. */
  readonly preview: Readonly<Ref<WrapPreview | undefined>>
  readonly failure: Readonly<Ref<string>>
  readonly isReading: Readonly<Ref<boolean>>
  readonly isWorking: Readonly<Ref<boolean>>
  readonly result: Readonly<Ref<WrapResult | undefined>>
  /** After undo: every byte as before. */
  readonly undone: Readonly<Ref<'exact' | 'partly' | undefined>>
  readonly isReady: Readonly<Ref<boolean>>
  open(target: WrapTarget): Promise<void>
  lookAgain(): Promise<void>
  confirm(): Promise<void>
  undo(): Promise<void>
  close(): void
}

/** From review to undo: exact change, listings, one confirmation. */
export function useWrapDialog(onChanged: () => Promise<void>): WrapDialog {
  const review = useServerReview()
  const target = shallowRef<WrapTarget>()
  const preview = shallowRef<WrapPreview>()
  const failure = ref('')
  const reading = ref(0)
  const isWorking = ref(false)
  const result = shallowRef<WrapResult>()
  const undone = ref<'exact' | 'partly'>()

  const leftOut = computed(() => review.rows.value.filter(({ key }) => !review.chosen.value.has(key)))
  const request = () => {
    const { client = '', path = '' } = target.value ?? {}
    const leaveOut = leftOut.value.map(({ name, project }) => ({
      name,
      ...(project === undefined ? {} : { project }),
    }))
    return { client, path, ...(leaveOut.length === 0 ? {} : { leaveOut }) }
  }
  const read = async (): Promise<void> => {
    const mine = ++reading.value
    try {
      const seen = await api.clients.previewWrap(request())
      if (mine === reading.value) preview.value = seen
    } catch (error) {
      if (mine === reading.value) failure.value = errorText(error)
    } finally {
      if (mine === reading.value) isReading.value = false
    }
  }
  const isReading = ref(false)
  const readAgain = (): Promise<void> => {
    isReading.value = true
    return read()
  }
  // The change always matches the selection.
  watch(
    () => leftOut.value.map(({ key }) => key).join(' '),
    () => {
      if (target.value && !result.value && review.rows.value.length > 0) void readAgain()
    },
  )
  const lookAgain = async (): Promise<void> => {
    const now = target.value
    if (!now) return
    failure.value = ''
    preview.value = undefined
    review.end()
    isReading.value = true
    const mine = ++reading.value
    try {
      const seen = await api.clients.previewWrap({ client: now.client, path: now.path })
      if (mine !== reading.value) return
      preview.value = seen
      isReading.value = false
      const { client, path } = now
      if (seen.servers.length > 0)
        await review.look((leaveOut, signal) =>
          api.clients.review({ client, path, purpose: 'wrap', leaveOut: [...leaveOut] }, { signal }),
        )
    } catch (error) {
      if (mine !== reading.value) return
      failure.value = errorText(error)
      isReading.value = false
    }
  }
  /** Shows errors in the dialog. */
  const work = async (job: () => Promise<void>): Promise<void> => {
    isWorking.value = true
    failure.value = ''
    try {
      await job()
    } catch (error) {
      failure.value = errorText(error)
      return
    } finally {
      isWorking.value = false
    }
    // The dialog may close before the page has refreshed.
    await onChanged()
  }

  return {
    target,
    review,
    preview,
    failure,
    isReading,
    isWorking,
    result,
    undone,
    isReady: computed(() => {
      const { rows, chosen } = review
      const wanted = rows.value.filter(({ key }) => chosen.value.has(key))
      const isLookedAt = wanted.every(({ state }) => state !== 'waiting' && state !== 'starting')
      return wanted.length > 0 && isLookedAt && !isReading.value && preview.value !== undefined
    }),
    open: (wanted) => {
      target.value = wanted
      result.value = undefined
      undone.value = undefined
      return lookAgain()
    },
    lookAgain,
    confirm: () =>
      work(async () => {
        const seen = preview.value
        if (!seen) return
        const { hash, resultHash, servers } = seen
        const reviews = [...review.ids.value]
        const done = await api.clients.wrap({ ...request(), hash, resultHash, reviews })
        const wrapped = new Set(servers.map(keyOf))
        const rows = review.rows.value
        result.value = {
          wrapped: servers.map(({ name }) => name),
          left: rows.filter(({ key }) => !wrapped.has(key)).map(({ name }) => name),
          blocked: rows
            .filter(({ key, state }) => wrapped.has(key) && state === 'failed')
            .map(({ name }) => name),
          approved: done.approved,
          advice: done.advice,
        }
        review.end()
      }),
    undo: () =>
      work(async () => {
        const { client = '', path = '', isPartlyWrapped = false } = target.value ?? {}
        const servers = isPartlyWrapped ? { servers: [...(result.value?.wrapped ?? [])] } : {}
        const seen = await api.clients.previewUnwrap({ client, path, ...servers })
        const { hash, resultHash } = seen
        await api.clients.unwrap({ client, path, ...servers, hash, resultHash })
        undone.value = seen.isExact ? 'exact' : 'partly'
      }),
    close: () => {
      review.end()
      target.value = undefined
      preview.value = undefined
    },
  }
}
