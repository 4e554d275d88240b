import { api } from '../api.ts'
import { onLive } from './live.ts'
import { useNotices } from './notices.ts'
import { formatNoun } from '../format/numbers.ts'
import { useQuery } from './query.ts'

export function useApprovals() {
  const notices = useNotices()
  const waiting = useQuery(() => api.approvals.waiting({}))
  const history = useQuery(() => api.approvals.history({}))
  const reload = async (): Promise<void> => {
    await Promise.all([waiting.reload(), history.reload()])
  }
  onLive('approvals', () => {
    waiting.refreshSoon()
    history.refreshSoon()
  })
  const approve = async (identity: string, hashes: string[]): Promise<void> => {
    await notices.attempt('Nothing was approved', async () => {
      const { approved } = await api.approvals.approve({ identity, hashes })
      notices.done(`${formatNoun(approved, 'definition')} approved`)
    })
    await reload()
  }
  const deny = async (identity: string, hashes: string[]): Promise<void> => {
    await notices.attempt('Nothing was denied', async () => {
      const { denied } = await api.approvals.deny({ identity, hashes })
      notices.done(
        `${formatNoun(denied, 'definition')} denied; ${denied === 1 ? 'it stays' : 'they stay'} blocked`,
        {
          label: 'Undo',
          run: async () => {
            await api.approvals.askAgain({ identity, hashes })
            await reload()
          },
        },
      )
    })
    await reload()
  }
  return { waiting, history, approve, deny, reload }
}
