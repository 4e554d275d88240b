import { expect, it } from 'vitest'
import type { LiveItem } from '../../../shared/api/overview.ts'
import { follow } from '../../../electron/engine/screens/live-events.ts'
import { createLiveAnswer } from '../../../electron/engine/screens/live.ts'

const nothing = (_input: unknown, { signal }: { signal?: AbortSignal | undefined }) =>
  follow<never>({ subscribe: () => () => {}, signal })

it('tells of the other matters when one throws at once or later, and says which one does', async () => {
  const warned: unknown[] = []
  const live = createLiveAnswer({
    activity: { live: nothing },
    badges: (_input: unknown, { signal }: { signal?: AbortSignal | undefined }) =>
      follow({ subscribe: () => () => {}, signal, first: () => [{ approvals: 1, quarantine: 0 }] }),
    approvals: {
      live: () => {
        throw new Error('the record is damaged')
      },
    },
    servers: { live: nothing },
    settings: {
      live: () =>
        follow({
          subscribe: () => () => {},
          signal: undefined,
          first: () => Promise.reject(new Error('no such disk')),
        }),
    },
    logger: { warn: (_message: string, fields: unknown) => warned.push(fields) },
  } as unknown as Parameters<typeof createLiveAnswer>[0])

  const stop = new AbortController()
  const items: LiveItem[] = []
  const stream = (await live(undefined, { signal: stop.signal })) as AsyncIterable<LiveItem>
  for await (const item of stream) {
    items.push(item)
    await expect.poll(() => warned.length).toBe(2)
    stop.abort()
  }
  expect(items).toMatchObject([{ kind: 'badges' }])
  expect(warned).toEqual([
    { matter: 'approvals', error: 'the record is damaged' },
    { matter: 'settings', error: 'no such disk' },
  ])
})
