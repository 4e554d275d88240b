// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import ProfilesForm from '../../../renderer/components/ProfilesForm.vue'

const work = { servers: ['github'] }
const costs = [{ client: 'p/work', label: 'Profile work', servers: [], tokens: 1_234 }]
const open = () =>
  mount(ProfilesForm, {
    props: { profiles: { work }, inUse: 'work', servers: ['github', 'files'], clients: ['Cursor'], costs },
  })
const lastOf = (form: ReturnType<typeof open>): unknown[] | undefined => form.emitted('set')?.at(-1)

test('servers are switched, and lists are written with commas; what is empty is left out', async () => {
  const form = open()
  const [github, files] = form.findAll('input[type="checkbox"]')
  await files?.setValue(true)
  expect(lastOf(form)).toEqual(['work', { servers: ['github', 'files'] }])
  await github?.setValue(false)
  expect(lastOf(form)).toEqual(['work', { servers: [] }])
  await form.get('[aria-label="Clients of work"]').setValue('Cursor, claude-code ,')
  expect(lastOf(form)).toEqual(['work', { ...work, clients: ['Cursor', 'claude-code'] }])
  await form.get('[aria-label="Folders of work"]').setValue(' ')
  expect(lastOf(form)).toEqual(['work', work])
  expect(form.text()).toContain('1,234 tokens before the first word')
})

test('one is used, added, and removed; a removed one is no longer in use', async () => {
  const form = open()
  await form.get('#profile-in-use').setValue('')
  expect(form.emitted('use')).toEqual([[undefined]])
  await form.get('[aria-label="Name of the profile"]').setValue('home')
  await form.get('form').trigger('submit')
  expect(lastOf(form)).toEqual(['home', { servers: [] }])
  await form.get('[aria-label="Remove work"]').trigger('click')
  expect(form.emitted('use')?.at(-1)).toEqual([undefined])
  expect(lastOf(form)).toEqual(['work', undefined])
})
