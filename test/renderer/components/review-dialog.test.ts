// @vitest-environment happy-dom
import { flushPromises, mount } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import { ref } from 'vue'
import ReviewDialog from '../../../renderer/components/ReviewDialog.vue'
import type { ServerReview } from '../../../renderer/state/server-review.ts'

const words = {
  waiting: 'Being started…',
  confirm: 'Approve and add',
  confirmKnown: 'Add',
  working: 'Being added…',
}
const review = { rows: ref([]), chosen: ref(new Set<string>()) } as unknown as ServerReview
let shown: ReturnType<typeof mount> | undefined
afterEach(() => shown?.unmount())
const textWith = async (failure: string): Promise<string> => {
  shown = mount(ReviewDialog, {
    props: { title: 'What will be added', description: '', review, failure, isWorking: false, words },
    attachTo: document.body,
  })
  await flushPromises()
  return document.body.textContent ?? ''
}

test('nothing is said to be started once it has failed', async () => {
  const text = await textWith('There is a server "chg" already. Choose another name.')
  expect(text).toContain('There is a server "chg" already.')
  expect(text).not.toContain('Being started…')
})

test('what is not there yet is said to be started', async () => {
  expect(await textWith('')).toContain('Being started…')
})
