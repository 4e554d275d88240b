// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils'
import { expect, test, vi } from 'vitest'
import ImportDialog from '../../../renderer/components/ImportDialog.vue'
import { find, mountPage, press, sees } from '../../helpers/mount-page.ts'

const engine = vi.hoisted(() => ({ reviewed: [] as unknown[] }))
vi.mock('../../../renderer/api.ts', () => ({
  api: {
    clients: {
      list: () =>
        Promise.resolve(
          ['Cursor', 'Zed'].map((label) => ({
            id: label.toLowerCase(),
            label,
            files: [{ path: `/home/${label}.json`, servers: [{ name: 'files', state: 'not wrapped' }] }],
          })),
        ),
      review: (asked: unknown) => {
        engine.reviewed.push(asked)
        return Promise.resolve((async function* () {})())
      },
    },
  },
}))

test('U13: no server is started before an app is chosen and the button pressed, another app included', async () => {
  await mountPage(ImportDialog, '/servers', '/servers')
  await sees('Nothing is started before you choose an app and look.')
  expect(engine.reviewed).toEqual([])
  const choose = async (index: number): Promise<void> => {
    const select = (await find('select', /Choose an app/)) as HTMLSelectElement
    select.selectedIndex = index
    select.dispatchEvent(new Event('change'))
    await flushPromises()
  }
  await choose(1)
  expect(engine.reviewed).toEqual([])
  await press(/Start 1 server once and look/)
  expect(engine.reviewed).toEqual([
    { purpose: 'import', requests: [{ client: 'cursor', path: '/home/Cursor.json', leaveOut: [] }] },
  ])
  await choose(2)
  expect(engine.reviewed).toHaveLength(1)
})
