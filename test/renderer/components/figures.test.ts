// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import BarList from '../../../renderer/components/BarList.vue'
import BeforeAfterBar from '../../../renderer/components/BeforeAfterBar.vue'
import CallMarks from '../../../renderer/components/CallMarks.vue'
import SavingsSum from '../../../renderer/components/SavingsSum.vue'
import ToolTable from '../../../renderer/components/ToolTable.vue'

const totals = {
  calls: 3,
  errors: 0,
  refused: 0,
  cancelled: 0,
  cached: 0,
  before: 1000,
  after: 200,
  added: 30,
  fetched: 70,
  net: 700,
}
const lines = (sum: ReturnType<typeof mount>): string[] =>
  sum.findAll('.sum > *').map((part) => part.text().replace(/\s+/g, ' '))

test('the sum shows each figure under its own name, with signs that make it true', () => {
  expect(lines(mount(SavingsSum, { props: { totals } }))).toEqual([
    'before1,000',
    '−',
    'sent200',
    '−',
    'added by Sluice30',
    '−',
    'fetched back70',
    '=',
    'net700',
  ])
})

test('shorter definitions are added, not taken off', () => {
  const sum = lines(mount(SavingsSum, { props: { totals: { ...totals, added: -30, net: 760 } } }))
  expect(sum.slice(3, 5)).toEqual(['+', 'taken off definitions30'])
})

test('a bar says before and after, and is as wide as its share', () => {
  const bar = mount(BeforeAfterBar, { props: { before: 400, after: 100, scale: 1600 } })
  expect(bar.attributes('aria-label')).toBe('400 tokens before, 100 sent')
  expect(bar.find('.before').attributes('style')).toContain('width: 50%')
  expect(bar.find('.after').attributes('style')).toContain('width: 25%')
})

test('bars compare by size, a loss has no colour of a saving, and each leads to its own place', () => {
  const rows = [
    { key: 'a', label: 'files', calls: 1, net: 1000, colour: 'teal', to: '/activity?server=files' },
    { key: 'b', label: 'git', calls: 2, net: -500, colour: 'red', to: '/activity?server=git' },
  ]
  const list = mount(BarList, {
    props: { rows },
    global: { stubs: { RouterLink: { props: ['to'], template: '<a :href="to"><slot /></a>' } } },
  })
  const read = list.findAll('li').map((row) => ({
    to: row.find('a').attributes('href'),
    text: row.text().replace(/\s+/g, ' '),
    width: row.find('.track span').attributes('style'),
    isLoss: row.find('.track span').classes('loss'),
  }))
  expect(read).toMatchObject([
    { to: '/activity?server=files', text: 'files1,0001 call', isLoss: false },
    { to: '/activity?server=git', text: 'git−5002 calls', isLoss: true },
  ])
  expect(read[0]?.width).toMatch(/width: 100%; background: teal/)
  expect(read[1]?.width).toMatch(/width: 50%/)
  expect(read[1]?.width).not.toContain('red')
})

test('a call is marked with what became of it; a strategy that saved nothing is not named', () => {
  const call = {
    outcome: 'ok',
    cached: false,
    strategy: 'json-table',
    tokensBefore: 100,
    tokensAfter: 100,
  }
  const marks = (more: object): string[] =>
    mount(CallMarks, { props: { call: { ...call, ...more } as never } })
      .findAll('.tag')
      .map((tag) => tag.text())
  expect(marks({})).toEqual([])
  expect(marks({ tokensAfter: 40 })).toEqual(['json-table'])
  expect(marks({ cached: true })).toEqual(['cached'])
  expect(marks({ outcome: 'error' })).toHaveLength(1)
})

test('a tool in the list: its own marks, cost and figures; a press chooses it and no other', async () => {
  const tool = (name: string, more: object) => ({
    server: 'files',
    tool: name,
    approval: 'approved',
    about: `Does ${name}.`,
    isHidden: false,
    isEdited: false,
    savings: { ...totals, calls: 4, net: 90 },
    originalTokens: 50,
    shownTokens: 50,
    ...more,
  })
  const tools = [
    tool('read', {}),
    tool('write', { isHidden: true, isEdited: true, shownTokens: 0 }),
    tool('move', { approval: 'waiting' }),
    tool('drop', { approval: 'denied', savings: { ...totals, calls: 7, net: -5 } }),
  ]
  const table = mount(ToolTable, {
    props: {
      tools: tools as never,
      chosen: '',
      order: 'server',
      ticked: new Set<string>(),
      isUnsaved: (item: { tool: string }) => item.tool === 'read',
    },
  })
  const rows = table.findAll('tbody tr')
  expect(rows.map((row) => row.findAll('.tag').map((tag) => tag.text()))).toEqual([
    ['not saved'],
    ['hidden'],
    ['to approve'],
    ['denied'],
  ])
  expect(rows[1]?.text().replace(/\s+/g, ' ')).toContain('50 → 0')
  expect(
    rows.map((row) =>
      row
        .findAll('td')
        .slice(3)
        .map((cell) => cell.text()),
    ),
  ).toEqual([
    ['4', '90'],
    ['4', '90'],
    ['4', '90'],
    ['7', '−5'],
  ])
  await rows[2]?.trigger('click')
  expect(table.emitted('choose')).toEqual([[expect.stringContaining('move')]])
})
