import { computed, onScopeDispose, ref, shallowRef } from 'vue'
import type { LookedAtServer, ReviewEvent, WrapRequest } from '../../shared/api/clients.ts'
import { errorText } from '../format/error-text.ts'

interface ReviewedServer {
  /** Of the app's file, if any. */
  readonly path?: string | undefined
  readonly name: string
  readonly project?: string | undefined
}

export interface ReviewRow extends ReviewedServer {
  readonly key: string
  readonly state: 'waiting' | 'starting' | LookedAtServer['outcome']
  readonly looked?: LookedAtServer
}

export type OpenReview = (
  leaveOut: readonly ReviewedServer[],
  signal: AbortSignal,
) => Promise<AsyncIterable<ReviewEvent>>

export type ServerReview = ReturnType<typeof useServerReview>

export const keyOf = ({ path, name, project }: ReviewedServer): string =>
  JSON.stringify([path, name, project])

/** For a request: without the file. */
export const leftOutOf = (servers: readonly ReviewedServer[]): NonNullable<WrapRequest['leaveOut']> =>
  servers.map(({ name, project }) => ({ name, ...(project === undefined ? {} : { project }) }))

/** Starts servers once each and follows what they offer. */
export function useServerReview() {
  const rows = shallowRef<readonly ReviewRow[]>([])
  /** Selected rows; failing servers are deselected. */
  const chosen = shallowRef<ReadonlySet<string>>(new Set())
  const ids = shallowRef<readonly string[]>([])
  const looking = ref(0)
  const failure = ref('')
  let asked: OpenReview | undefined
  let stop = new AbortController()

  const change = (keys: readonly string[], to: Pick<ReviewRow, 'state' | 'looked'>): void => {
    rows.value = rows.value.map((row) => (keys.includes(row.key) ? { ...row, ...to } : row))
  }
  const choose = (keys: readonly string[], wanted: boolean): void => {
    const next = new Set(chosen.value)
    for (const key of keys) {
      if (wanted) next.add(key)
      else next.delete(key)
    }
    chosen.value = next
  }
  const follow = async (
    open: OpenReview,
    leaveOut: readonly ReviewedServer[],
    isFirst: boolean,
  ): Promise<void> => {
    const { signal } = stop
    /** By server. */
    const keys = new Map<string, string[]>()
    const take = (event: ReviewEvent): void => {
      if (event.kind === 'begun') {
        ids.value = [...ids.value, event.review]
        for (const server of event.servers) {
          keys.set(server.serverId, [...(keys.get(server.serverId) ?? []), keyOf(server)])
        }
        if (!isFirst) return
        rows.value = event.servers.map((server) => ({
          ...server,
          key: keyOf(server),
          state: 'waiting',
        }))
        chosen.value = new Set(rows.value.map(({ key }) => key))
      } else if (event.kind === 'starting') change(keys.get(event.serverId) ?? [], { state: 'starting' })
      else {
        const own = keys.get(event.looked.serverId) ?? []
        const before = new Set(rows.value.filter(({ key }) => own.includes(key)).map(({ state }) => state))
        change(own, { state: event.looked.outcome, looked: event.looked })
        if (before.has('starting') || before.has('waiting')) choose(own, event.looked.outcome !== 'failed')
      }
    }
    looking.value++
    failure.value = ''
    try {
      for await (const event of await open(leaveOut, signal)) {
        if (!signal.aborted) take(event)
      }
    } catch (error) {
      if (!signal.aborted) failure.value = errorText(error)
    } finally {
      looking.value--
    }
  }
  /** Ends and forgets started ones. */
  const end = (): void => {
    stop.abort()
    stop = new AbortController()
    rows.value = []
    chosen.value = new Set()
    ids.value = []
    failure.value = ''
  }
  onScopeDispose(end)
  return {
    rows,
    chosen,
    ids,
    failure,
    isLooking: computed(() => looking.value > 0),
    look: (open: OpenReview) => {
      end()
      asked = open
      return follow(open, [], true)
    },
    lookAgain: async ({ key }: ReviewRow) => {
      if (!asked) return
      const others = rows.value.filter((row) => row.key !== key)
      change([key], { state: 'waiting' })
      await follow(asked, others, false)
    },
    end,
  }
}
