import { expect, test } from 'vitest'
import { gatherAttention } from '../../../electron/engine/screens/gather-attention.ts'
import type { Attention } from '../../../shared/api/overview.ts'

const failed = (server: string): Attention => ({
  kind: 'server-failed',
  urgency: 'act',
  title: `${server} could not be started`,
  detail: 'Why.',
  server,
})
const waiting = (server: string, count: number): Attention => ({
  kind: 'approvals-waiting',
  urgency: 'act',
  title: `${count} changes wait for you`,
  detail: 'Which.',
  server,
  count,
})

test('one or two of a kind stay as they are', () => {
  const found = [failed('a'), failed('b'), waiting('c', 4)]
  expect(gatherAttention(found)).toEqual(found)
})

test('more become one that counts them, names them, and opens their list', () => {
  const found = [failed('a'), waiting('b', 4), failed('c'), waiting('d', 1), waiting('e', 2), failed('f')]
  expect(gatherAttention(found)).toEqual([
    { kind: 'server-failed', urgency: 'act', title: '3 servers are not available', detail: 'a, c, f' },
    {
      kind: 'approvals-waiting',
      urgency: 'act',
      title: '7 changes of 3 servers wait for you',
      detail: 'b, d, e',
    },
  ])
})

test('a problem of the settings is gathered where it is found', () => {
  const problem: Attention = { kind: 'settings-problem', urgency: 'act', title: 'A part', detail: 'Which.' }
  expect(gatherAttention([problem, problem, problem])).toHaveLength(3)
})
