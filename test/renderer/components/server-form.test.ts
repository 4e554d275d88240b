// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import ServerForm from '../../../renderer/components/ServerForm.vue'

test('what was saved elsewhere meanwhile is said before it is overwritten, with both versions in view', async () => {
  const settings = { command: 'node', args: ['mine.js'] }
  const form = mount(ServerForm, { props: { id: 'notes', settings } })
  expect(form.find('[role=alert]').exists()).toBe(false)
  await form.setProps({ settings: { command: 'node', args: ['theirs.js'], disabled: true } })
  const alert = form.get('[role=alert]')
  expect(alert.text()).toContain('args: ["theirs.js"]')
  expect(alert.text()).toContain('disabled: true')
  expect(alert.text()).not.toContain('command')
  const typed = form.findAll('textarea').map(({ element }) => element.value)
  expect(typed).toContain('mine.js')
  await alert.get('button').trigger('click')
  expect(form.emitted('again')).toHaveLength(1)
})
