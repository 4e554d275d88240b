// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import CallSheet from '../../../renderer/components/CallSheet.vue'

const call = {
  id: 'call-1',
  at: 1_790_000_000_000,
  client: 'cursor',
  session: 's_1',
  server: 'files',
  tool: 'read',
  outcome: 'ok' as const,
  tokensBefore: 20,
  tokensAfter: 20,
  tokensAdded: 0,
  ms: 3,
  cached: false,
  fetches: [],
  layers: [],
}
const textOf = (more: object): string =>
  mount(CallSheet, {
    props: { call: { ...call, ...more } },
    global: { stubs: ['RouterLink', 'CallTimings'] },
  })
    .text()
    .replaceAll(/\s+/g, ' ')

test('arguments in memory are shown, and not called gone', () => {
  const text = textOf({ arguments: { path: 'a.md' } })
  expect(text).toContain('"path": "a.md"')
  expect(text).not.toContain('Arguments are never written to disk')
})

test('what the settings made of the arguments is beside what the model wrote', () => {
  const text = textOf({ arguments: { path: 'a.md' }, shapedArguments: { path: 'b.md' } })
  expect(text).toMatch(/"a\.md".*The settings of this tool changed them; the server got:.*"b\.md"/)
})

test('arguments that are no longer in memory are said to be', () => {
  expect(textOf({})).toContain('No longer in memory. Arguments are never written to disk.')
})
