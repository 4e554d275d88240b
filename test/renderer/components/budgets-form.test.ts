// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import BudgetsForm from '../../../renderer/components/BudgetsForm.vue'
import { BudgetSettings } from '../../../shared/budget-settings.ts'

const team = BudgetSettings.parse({ tokens: 1000, client: 'Cursor' })
const open = () => mount(BudgetsForm, { props: { budgets: { team }, clients: ['Claude Code'] } })
const lastOf = (form: ReturnType<typeof open>): unknown[] | undefined => form.emitted('set')?.at(-1)

test('each field changes its part of the budget, and what is empty is left out', async () => {
  const form = open()
  const field = (label: string) => form.get(`[aria-label="${label} team"]`)
  await field('Amount of').setValue('2000')
  expect(lastOf(form)).toEqual(['team', { ...team, tokens: 2000 }])
  await field('Unit of').setValue('dollars')
  const { tokens: _tokens, ...withoutTokens } = team
  expect(lastOf(form)).toEqual(['team', { ...withoutTokens, dollars: 1000 }])
  await field('Client of').setValue('')
  const { client: _client, ...ofAll } = team
  expect(lastOf(form)).toEqual(['team', ofAll])
  await field('Folder of').setValue(' /home/me/shop ')
  expect(lastOf(form)).toEqual(['team', { ...team, project: '/home/me/shop' }])
  await form.get('[aria-label="Step 1 of team, percent"]').setValue('60')
  expect(lastOf(form)).toEqual([
    'team',
    {
      ...team,
      steps: [
        { from: 0.6, maxOutputTokens: 700 },
        { from: 0.9, maxOutputTokens: 500 },
      ],
    },
  ])
  await form.get('[aria-label="Remove step 1 of team"]').trigger('click')
  expect(lastOf(form)).toEqual(['team', { ...team, steps: [{ from: 0.9, maxOutputTokens: 500 }] }])
})

test('a new budget is one that the settings take, and one goes', async () => {
  const form = open()
  await form.get('[aria-label="Name of the budget"]').setValue(' shop ')
  await form.get('form').trigger('submit')
  const [name, budget] = lastOf(form) ?? []
  expect(name).toBe('shop')
  expect(BudgetSettings.parse(budget)).toEqual(budget)
  await form
    .findAll('button')
    .find((button) => button.text() === 'Remove' && !button.attributes('aria-label'))
    ?.trigger('click')
  expect(lastOf(form)).toEqual(['team', undefined])
})
