import { expect, test, vi } from 'vitest'
import { nextTick, ref } from 'vue'
import { createMemoryHistory, createRouter } from 'vue-router'
import { followMissingScreens } from '../../../renderer/state/missing-screen.ts'
import { waitFor } from '../../helpers/wait-for.ts'

const missing = (): Error => new TypeError('Failed to fetch dynamically imported module: http://x/a.js')

async function world({ answers }: { answers: boolean }) {
  const isOnline = ref(answers)
  const failed = vi.fn<(title: string, error: unknown) => void>()
  const reload = vi.fn<(path: string) => void>()
  const state = { answers, hasFiles: false, now: 100_000 }
  const stored = new Map<string, string>()
  const screen = { render: () => null }
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [
      { path: '/', component: screen },
      {
        path: '/later',
        component: () => (state.hasFiles ? Promise.resolve(screen) : Promise.reject(missing())),
      },
    ],
  })
  followMissingScreens(router, {
    isOnline,
    notices: { failed },
    isReachable: () => Promise.resolve(state.answers),
    reload,
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
    },
    now: () => state.now,
  })
  await router.push('/')
  return { router, isOnline, failed, reload, state }
}

test('a screen that was asked for while the engine was down opens once it answers', async () => {
  const { router, isOnline, failed, reload, state } = await world({ answers: false })
  await router.push('/later').catch(() => {})
  await waitFor(() => expect(failed).toHaveBeenCalledOnce())
  expect(String(failed.mock.calls[0]?.[1])).toContain('opens once it does')
  state.answers = state.hasFiles = true
  isOnline.value = true
  await nextTick()
  await waitFor(() => expect(router.currentRoute.value.path).toBe('/later'))
  expect(reload).not.toHaveBeenCalled()
})

test('another screen that was chosen meanwhile stays', async () => {
  const { router, isOnline, failed, state } = await world({ answers: false })
  await router.push('/later').catch(() => {})
  await waitFor(() => expect(failed).toHaveBeenCalledOnce())
  await router.push('/?a=1')
  state.hasFiles = true
  isOnline.value = true
  await nextTick()
  await router.isReady()
  expect(router.currentRoute.value.fullPath).toBe('/?a=1')
})

test('files of another version are had by a reload, once', async () => {
  const { router, failed, reload, state } = await world({ answers: true })
  await router.push('/later').catch(() => {})
  await waitFor(() => expect(reload).toHaveBeenCalledExactlyOnceWith('/later'))
  state.now += 1_000
  await router.push('/later').catch(() => {})
  await waitFor(() => expect(failed).toHaveBeenCalledOnce())
  expect(reload).toHaveBeenCalledOnce()
})
