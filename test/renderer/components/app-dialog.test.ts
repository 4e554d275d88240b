// @vitest-environment happy-dom
import { flushPromises, mount } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import AppDialog from '../../../renderer/components/AppDialog.vue'

let shown: ReturnType<typeof mount> | undefined
afterEach(() => shown?.unmount())

async function openDialog(isHeld: boolean) {
  shown = mount(AppDialog, {
    props: { open: true, title: 'Import settings', description: 'a.json', width: 400, isHeld },
    slots: { default: '<p>What would change</p>' },
    attachTo: document.body,
  })
  await flushPromises()
  const dialog = document.querySelector<HTMLElement>('[role=dialog]')
  if (!dialog) throw new Error('There is no dialog.')
  return dialog
}
const said = () => shown?.emitted('update:open') ?? []
const press = async (key: string): Promise<void> => {
  document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  await flushPromises()
}

test('it is named by its title and described below', async () => {
  const dialog = await openDialog(false)
  const textOf = (attribute: string) =>
    document.getElementById(dialog.getAttribute(attribute) ?? '')?.textContent
  expect([textOf('aria-labelledby'), textOf('aria-describedby')]).toEqual(['Import settings', 'a.json'])
  expect(dialog.textContent).toContain('What would change')
})

test('Escape closes it', async () => {
  await openDialog(false)
  await press('Escape')
  expect(said()).toEqual([[false]])
})

test('while it is held Escape does not close it, its button does', async () => {
  const dialog = await openDialog(true)
  await press('Escape')
  expect(said()).toEqual([])
  dialog.querySelector<HTMLElement>('[aria-label=Close]')?.click()
  await flushPromises()
  expect(said()).toEqual([[false]])
})
