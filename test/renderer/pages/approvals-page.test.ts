// @vitest-environment happy-dom
import { flushPromises, mount } from '@vue/test-utils'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createMemoryHistory, createRouter } from 'vue-router'
import ApprovalsPage from '../../../renderer/pages/ApprovalsPage.vue'
import type { WaitingChange } from '../../../shared/api/approvals.ts'

/** The engine's procedures that this page uses; denied items stay listed. */
const engine = vi.hoisted(() => ({
  changes: [] as { hash: string; denied: boolean }[],
  approved: [] as string[],
  isOutdated: false,
}))
vi.mock('../../../renderer/api.ts', () => ({
  api: {
    approvals: {
      waiting: () => Promise.resolve(structuredClone(engine.changes)),
      history: () => Promise.resolve([]),
      approve: ({ hashes }: { hashes: string[] }) => {
        if (engine.isOutdated) return Promise.resolve({ approved: 0 })
        engine.approved.push(...hashes)
        engine.changes = engine.changes.filter(({ hash }) => !hashes.includes(hash))
        return Promise.resolve({ approved: hashes.length })
      },
      deny: ({ hashes }: { hashes: string[] }) => {
        for (const change of engine.changes) change.denied ||= hashes.includes(change.hash)
        return Promise.resolve({ denied: hashes.length })
      },
    },
  },
}))

const change = (name: string, findings: WaitingChange['findings'] = []): WaitingChange => ({
  hash: `hash-${name}`,
  identity: 'i',
  server: 'notes',
  kind: 'tool',
  name,
  change: 'changed',
  denied: false,
  places: [{ path: 'description', runs: [{ text: 'New words.', state: 'added' }] }],
  findings,
})

async function page() {
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [{ path: '/:all(.*)', component: ApprovalsPage }],
  })
  await router.push('/approvals')
  const shown = mount(ApprovalsPage, { global: { plugins: [router] }, attachTo: document.body })
  await flushPromises()
  const buttons = (): string[] => shown.findAll('.group header button').map((each) => each.text())
  const press = async (label: string): Promise<void> => {
    const button = shown.findAll('.group header button').find((each) => each.text() === label)
    if (!button) throw new Error(`There is no button "${label}", but: ${buttons().join(', ')}`)
    await button.trigger('click')
    await flushPromises()
  }
  const tick = async (index: number): Promise<void> => {
    await shown.findAll('input[type=checkbox]')[index]?.setValue(true)
  }
  const ticked = (): number =>
    shown.findAll<HTMLInputElement>('input[type=checkbox]').filter(({ element }) => element.checked).length
  const view = async (name: string): Promise<void> => {
    await router.replace({ path: '/approvals', query: name === 'waiting' ? {} : { view: name } })
    await flushPromises()
  }
  return { buttons, press, tick, ticked, view }
}

beforeEach(() => {
  const finding = { path: '/description', reason: 'gives orders', score: 0.9 }
  engine.changes = [change('one', [finding]), change('two')]
  engine.approved = []
  engine.isOutdated = false
})

describe('U2: what is approved is what was chosen in this view', () => {
  test('after a denial nothing is ticked, in this view and in that of what is denied', async () => {
    const { buttons, press, tick, ticked, view } = await page()
    await tick(0)
    expect(buttons()).toEqual(['Deny 1', 'Approve 1 selected'])
    await press('Deny 1')
    expect(ticked()).toBe(0)
    expect(buttons()).toEqual(['Deny all', 'Approve all'])
    await view('denied')
    expect(ticked()).toBe(0)
    expect(buttons()).toEqual([])
    expect(engine.approved).toEqual([])
  })

  test('a decision that changed nothing leaves no tick behind either', async () => {
    const { buttons, press, tick, ticked } = await page()
    await tick(1)
    engine.isOutdated = true
    await press('Approve 1 selected')
    expect(ticked()).toBe(0)
    expect(buttons()).toEqual(['Deny all', 'Approve all'])
  })

  test('another view takes ticks and an open question back', async () => {
    const { buttons, press, tick, ticked, view } = await page()
    await tick(0)
    await press('Approve 1 selected')
    expect(buttons()).toEqual(['Deny 1', 'Approve 1 selected', 'Leave it'])
    await view('denied')
    await view('waiting')
    expect(ticked()).toBe(0)
    expect(buttons()).toEqual(['Deny all', 'Approve all'])
    expect(engine.approved).toEqual([])
  })

  test('what was denied is approved when it is ticked, and it alone', async () => {
    const { buttons, press, tick, view } = await page()
    await press('Deny all')
    await view('denied')
    await tick(1)
    expect(buttons()).toEqual(['Deny 1', 'Approve 1 selected'])
    await press('Approve 1 selected')
    expect(engine.approved).toEqual(['hash-two'])
    expect(buttons()).toEqual([])
  })

  test('an approval clears the ticks, and the next press means all again', async () => {
    const { buttons, press, tick } = await page()
    await tick(1)
    await press('Approve 1 selected')
    expect(engine.approved).toEqual(['hash-two'])
    expect(buttons()).toEqual(['Deny all', 'Approve all'])
  })
})
