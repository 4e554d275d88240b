// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import type { Comparison } from '../../../shared/api/results.ts'
import ResultView from '../../../renderer/components/ResultView.vue'

const comparison: Comparison = {
  original: { text: 'one\ntwo needle\nthree\nfour needle', offset: 0, total: 31, otherParts: 0 },
  sent: '[Compressed] Omitted: 2 lines.\none\nfour needle',
  sentIs: 'kept',
  kind: 'text',
  tokensBefore: 40,
  tokensAfter: 20,
  strategy: 'text',
  omittedLines: 2,
  furtherLines: 0,
  unit: 'line',
  passages: [
    { isKept: true, fromLine: 1, lines: 1, text: 'one', isCut: false },
    { isKept: false, fromLine: 2, lines: 2, text: 'two needle\nthree', isCut: false },
    { isKept: true, fromLine: 4, lines: 1, text: 'four needle', isCut: false },
  ],
}
const show = (changed: Partial<Comparison> = {}) =>
  mount(ResultView, { props: { comparison: { ...comparison, ...changed } }, attachTo: document.body })

test('what was left out is one row in its place, until it is unfolded', async () => {
  const view = show()
  expect(view.text()).toContain('left out · lines 2–3 · 2')
  expect(view.text()).not.toContain('three')
  await view.get('.fold').trigger('click')
  expect(view.get('.fold').attributes('aria-expanded')).toBe('true')
  expect(view.get('.gone').text()).toBe('two needle\nthree')
  await view.get('.fold').trigger('click')
  expect(view.text()).not.toContain('three')
})

test('search counts in folded passages, too, and unfolds the one that it stops at', async () => {
  const view = show()
  await view.get('input[type=search]').setValue('NEEDLE')
  await expect.poll(() => view.text()).toContain('1 of 2')
  expect(view.get('.gone mark.current').text()).toBe('needle')
  await view.get('input[type=search]').trigger('keydown', { key: 'Enter' })
  await expect.poll(() => view.find('.kept mark.current').exists()).toBe(true)
  expect(view.text()).toContain('2 of 2')
})

test('a diff has its colours', () => {
  const text = '@@ -1 +1 @@\n-old\n+new\n same'
  const view = show({ kind: 'diff', passages: [{ isKept: true, fromLine: 1, lines: 4, text, isCut: false }] })
  expect(view.get('.added').text()).toBe('+new')
  expect(view.get('.removed').text()).toBe('-old')
  expect(view.get('.kept').text()).toBe(text)
})

test('the other view is exactly what the model saw', async () => {
  const view = show()
  await view
    .findAll('button')
    .find((button) => button.text() === 'As the model saw it')
    ?.trigger('click')
  expect(view.get('[aria-label="What the model got"]').element.textContent).toBe(comparison.sent)
})

test('JSON is a tree, in which what was left out says so', async () => {
  const value = { name: 'a', items: [{ id: 1 }, { id: 2 }] }
  const text = JSON.stringify(value)
  const lines = JSON.stringify(value, undefined, 2).split('\n')
  const cut = lines.indexOf('    {') + 1
  const passages = [
    { isKept: true, fromLine: 1, lines: cut - 1, text: '', isCut: false },
    { isKept: false, fromLine: cut, lines: lines.length - cut + 1, text: '', isCut: false },
  ]
  const original = { text, offset: 0, total: text.length, otherParts: 0 }
  const view = show({ kind: 'json', unit: 'indented-line', original, passages })
  await view
    .findAll('button')
    .find((button) => button.text() === 'As a tree')
    ?.trigger('click')
  expect(view.get('[aria-label="The original as a tree"]').text()).toMatch(
    /name\s*"a"\s*▸\s*items\s*\[2\]\s*in part/,
  )
  await view
    .findAll('button.head')
    .find((button) => button.text().includes('items'))
    ?.trigger('click')
  expect(view.text()).toMatch(/0\s*\{1\} id: 1\s*left out/)
})

const showForm = async (name: string, changed: Partial<Comparison>) => {
  const view = show(changed)
  await view
    .findAll('button')
    .find((button) => button.text() === name)
    ?.trigger('click')
  return view
}
const wholeOf = (text: string): Comparison['original'] => ({
  text,
  offset: 0,
  total: text.length,
  otherParts: 0,
})
const stop = (view: ReturnType<typeof show>): string | undefined =>
  view.find('mark.current').element?.closest('li, tr')?.textContent?.replaceAll(/\s+/g, ' ').trim()

test('a search in a tree opens what its find is in, far down a long list, too', async () => {
  const text = JSON.stringify({
    items: Array.from({ length: 250 }, (_, id) => ({ id, inner: { name: `n${id}` } })),
  })
  const view = await showForm('As a tree', {
    kind: 'json',
    unit: 'indented-line',
    original: wholeOf(text),
    passages: [],
  })
  await view.get('input[type=search]').setValue('N24')
  await expect.poll(() => view.text()).toContain('1 of 11')
  expect(stop(view)).toMatch(/name"n24"/)
  await view.get('input[type=search]').trigger('keydown', { key: 'Enter' })
  await expect.poll(() => stop(view)).toMatch(/name"n240"/)
  expect(view.text()).toContain('Show 100 of 200 before')
})

test('a search in a table unfolds the row of its find', async () => {
  const text = `id,name\n${Array.from({ length: 1_200 }, (_, id) => `${id},n${id}`).join('\n')}`
  const passages = [{ isKept: false, fromLine: 1, lines: 1_201, text: '', isCut: false }]
  const view = await showForm('As a table', { kind: 'table', original: wholeOf(text), passages })
  await view.get('input[type=search]').setValue('n1100')
  await expect.poll(() => view.text()).toContain('1 of 1')
  expect(stop(view)).toBe('1100n1100')
})

test('a table is a table, its omitted rows one line until they are unfolded', async () => {
  const text = 'id,name\n1,"Smith, Ann"\n2,Bob\n3,Cy'
  const passages = [
    { isKept: true, fromLine: 1, lines: 2, text: '', isCut: false },
    { isKept: false, fromLine: 3, lines: 1, text: '', isCut: false },
    { isKept: true, fromLine: 4, lines: 1, text: '', isCut: false },
  ]
  const original = { text, offset: 0, total: text.length, otherParts: 0 }
  const view = show({ kind: 'table', original, passages })
  await view
    .findAll('button')
    .find((button) => button.text() === 'As a table')
    ?.trigger('click')
  const cells = () => view.findAll('tbody tr').map((row) => row.findAll('td').map((cell) => cell.text()))
  expect(view.findAll('th').map((cell) => cell.text())).toEqual(['id', 'name'])
  expect(cells()).toEqual([['1', 'Smith, Ann'], [expect.stringContaining('left out · 1 row')], ['3', 'Cy']])
  await view.get('.fold button').trigger('click')
  expect(cells()[2]).toEqual(['2', 'Bob'])
})

test('a log has the colours of its levels', () => {
  const text = '10:00 INFO ok\n10:01 ERROR broken\n10:02 WARN slow'
  const view = show({ kind: 'log', passages: [{ isKept: true, fromLine: 1, lines: 3, text, isCut: false }] })
  expect(view.get('span.error').text()).toBe('10:01 ERROR broken')
  expect(view.get('span.warning').text()).toBe('10:02 WARN slow')
})
