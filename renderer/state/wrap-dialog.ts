import { computed, ref, shallowRef, watch } from 'vue'
import type { WrapPreview } from '../../shared/api/clients.ts'
import { api } from '../api.ts'
import { errorText } from '../format/error-text.ts'
import { keyOf, leftOutOf, useServerReview } from './server-review.ts'

export interface WrapTarget {
  readonly client: string
  readonly label: string
  readonly path: string
  readonly isPartlyWrapped: boolean
}

/** Of one file. */
export interface WrapResult {
  readonly target: WrapTarget
  readonly wrapped: readonly string[]
  readonly left: readonly string[]
  /** Not looked at: blocked until approved. */
  readonly blocked: readonly string[]
  /** Those with another name on these screens. */
  readonly renamed: readonly { readonly name: string; readonly serverId: string }[]
  readonly advice: string
  /** Why the file stayed as it was. */
  readonly problem?: string
}

export type WrapDialog = ReturnType<typeof useWrapDialog>

/** From review to undo: exact changes, listings, one confirmation. */
export function useWrapDialog(onChanged: () => Promise<void>) {
  const review = useServerReview()
  /** Files, each with its app. Empty: closed. */
  const targets = shallowRef<readonly WrapTarget[]>([])
  /** One for each target, for the current selection. */
  const previews = shallowRef<readonly WrapPreview[]>([])
  const failure = ref('')
  const reading = ref(0)
  const isReading = ref(false)
  const isWorking = ref(false)
  const results = shallowRef<readonly WrapResult[]>([])
  /** After undo: every byte as before. */
  const undone = ref<'exact' | 'partly'>()

  const leftOut = computed(() => review.rows.value.filter(({ key }) => !review.chosen.value.has(key)))
  const requests = (leave: readonly { readonly path?: string | undefined; readonly name: string }[]) =>
    targets.value.map(({ client, path }) => {
      const leaveOut = leftOutOf(leave.filter((row) => row.path === path))
      return { client, path, ...(leaveOut.length === 0 ? {} : { leaveOut }) }
    })
  /** Undefined if a later reading began, or it failed. */
  const read = async (): Promise<readonly WrapPreview[] | undefined> => {
    const mine = ++reading.value
    isReading.value = true
    try {
      const seen = await api.clients.previewWrap({ requests: requests(leftOut.value) })
      if (mine !== reading.value) return undefined
      previews.value = seen
      return seen
    } catch (error) {
      if (mine === reading.value) failure.value = errorText(error)
      return undefined
    } finally {
      if (mine === reading.value) isReading.value = false
    }
  }
  // The change always matches the selection.
  watch(
    () => leftOut.value.map(({ key }) => key).join(' '),
    () => {
      const isChoosing = targets.value.length > 0 && results.value.length === 0
      if (isChoosing && review.rows.value.length > 0) void read()
    },
  )
  const lookAgain = async (): Promise<void> => {
    if (targets.value.length === 0) return
    failure.value = ''
    previews.value = []
    review.end()
    const seen = await read()
    if (seen?.some(({ servers }) => servers.length > 0))
      await review.look((leaveOut, signal) =>
        api.clients.review({ requests: requests(leaveOut), purpose: 'wrap' }, { signal }),
      )
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
  /** One file after another: what fails keeps the others from nothing. */
  const wrap = async (
    target: WrapTarget,
    preview: WrapPreview,
    request: ReturnType<typeof requests>[number],
  ): Promise<WrapResult> => {
    const { hash, resultHash, servers, advice } = preview
    const wrapped = new Set(servers.map((server) => keyOf({ ...server, path: target.path })))
    const rows = review.rows.value.filter(({ path }) => path === target.path)
    const names = servers.map(({ name }) => name)
    const facts = {
      target,
      wrapped: names,
      left: rows.filter(({ key }) => !wrapped.has(key)).map(({ name }) => name),
      blocked: rows
        .filter(({ key, state }) => wrapped.has(key) && state === 'failed')
        .map(({ name }) => name),
      renamed: servers.filter(({ name, serverId }) => serverId !== name),
      advice,
    }
    if (names.length === 0) return facts
    try {
      await api.clients.wrap({ ...request, hash, resultHash, reviews: [...review.ids.value] })
      return facts
    } catch (error) {
      if (targets.value.length === 1) throw error
      return {
        ...facts,
        wrapped: [],
        left: rows.map(({ name }) => name),
        blocked: [],
        renamed: [],
        problem: errorText(error),
      }
    }
  }

  return {
    targets,
    review,
    previews,
    failure,
    isReading,
    isWorking,
    results,
    undone,
    isReady: computed(() => {
      const { rows, chosen } = review
      const wanted = rows.value.filter(({ key }) => chosen.value.has(key))
      const isLookedAt = wanted.every(({ state }) => state !== 'waiting' && state !== 'starting')
      const isRead = !isReading.value && previews.value.length === targets.value.length
      return wanted.length > 0 && isLookedAt && isRead
    }),
    open: (wanted: readonly WrapTarget[]) => {
      targets.value = wanted
      results.value = []
      undone.value = undefined
      return lookAgain()
    },
    lookAgain,
    confirm: () =>
      work(async () => {
        const asked = requests(leftOut.value)
        const done: WrapResult[] = []
        for (const [index, target] of targets.value.entries()) {
          const [preview, request] = [previews.value[index], asked[index]]
          if (preview && request) done.push(await wrap(target, preview, request))
        }
        results.value = done
        review.end()
      }),
    undo: () =>
      work(async () => {
        let isExact = true
        for (const { target, wrapped } of results.value.toReversed()) {
          if (wrapped.length === 0) continue
          const { client, path, isPartlyWrapped } = target
          const servers = isPartlyWrapped ? { servers: [...wrapped] } : {}
          const seen = await api.clients.previewUnwrap({ client, path, ...servers })
          const { hash, resultHash } = seen
          await api.clients.unwrap({ client, path, ...servers, hash, resultHash })
          isExact &&= seen.isExact
        }
        undone.value = isExact ? 'exact' : 'partly'
      }),
    close: () => {
      review.end()
      targets.value = []
      previews.value = []
    },
  }
}
