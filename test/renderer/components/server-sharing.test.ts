// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import ServerSharing from '../../../renderer/components/ServerSharing.vue'
import type { ServerStatus } from '../../../shared/api/servers.ts'
import { ENOUGH_CALLS, type SharingEvidence } from '../../../shared/api/sharing.ts'

const server: ServerStatus = {
  id: 's',
  launch: 'node s.js',
  type: 'stdio',
  state: 'ready',
  open: 3,
  pids: [1, 2, 3],
  memory: 300_000_000,
  waiting: 0,
  savings: {
    calls: 0,
    errors: 0,
    refused: 0,
    cancelled: 0,
    cached: 0,
    before: 0,
    after: 0,
    added: 0,
    fetched: 0,
    net: 0,
  },
  problems: [],
}
const show = (sharing: SharingEvidence) => mount(ServerSharing, { props: { server, sharing, busy: '' } })

test('is offered with its evidence and what it saves, and asked for with one press', async () => {
  const shown = show({ calls: ENOUGH_CALLS, atOnce: 3, obstacles: [] })
  expect(shown.text()).toContain(
    `In ${ENOUGH_CALLS} calls of clients side by side nothing would have gone wrong`,
  )
  expect(shown.text()).toContain('200 MB less')
  await shown.get('button').trigger('click')
  expect(shown.emitted('share')).toHaveLength(1)
})

test('is not offered where something would have gone wrong, or too little is known', () => {
  const wrong = show({ calls: 90, atOnce: 3, obstacles: [{ what: 'folders', times: 2 }] })
  expect(wrong.text()).toContain('2 times: it asked for the folders of its client')
  expect(wrong.find('button').exists()).toBe(false)
  expect(
    show({ calls: ENOUGH_CALLS - 1, atOnce: 3, obstacles: [] })
      .find('button')
      .exists(),
  ).toBe(false)
})
