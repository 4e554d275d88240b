import { expect, test } from 'vitest'
import { viewOf } from '../../../renderer/state/saved-views.ts'

test('a view is a screen with its filters, without what is open beside the list', () => {
  expect(viewOf({ path: '/activity/call-1', query: { only: 'error', text: 'git', view: 'try' } })).toEqual({
    label: 'Activity: error, git',
    address: '/activity?only=error&text=git',
  })
})

test('a screen without filters is none', () => {
  expect(viewOf({ path: '/tools', query: {} })).toBeUndefined()
  expect(viewOf({ path: '/servers', query: { add: 'paste' } })).toBeUndefined()
})
