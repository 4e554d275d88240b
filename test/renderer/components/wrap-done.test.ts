// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { ref } from 'vue'
import WrapDone from '../../../renderer/components/WrapDone.vue'

test('a wrapped server with another name here is told with both', () => {
  const result = {
    target: { client: 'cursor', label: 'Cursor', path: '/mcp.json', isPartlyWrapped: false },
    wrapped: ['天気', 'notes'],
    left: [],
    blocked: [],
    renamed: [{ name: '天気', serverId: 'weather' }],
    advice: 'Restart Cursor.',
  }
  const dialog = { results: ref([result]), undone: ref(), failure: ref(''), isWorking: ref(false) }
  const done = mount(WrapDone, { props: { dialog: dialog as never }, global: { stubs: ['RouterLink'] } })
  expect(done.findAll('li').map((line) => line.text())).toEqual([
    '天気, notes: approved as you saw it.',
    '天気 is named weather on these screens.',
  ])
})
