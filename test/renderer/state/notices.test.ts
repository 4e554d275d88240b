import { beforeEach, expect, test } from 'vitest'
import { removeNotice, runUndo, shownNotices, useNotices } from '../../../renderer/state/notices.ts'

const notices = useNotices()
const titles = (): string[] => shownNotices.value.map(({ title }) => title)

beforeEach(() => {
  for (const { id } of shownNotices.value) removeNotice(id)
})

test('they stand in the order in which they came, and the sixth takes the place of the first', () => {
  for (const title of ['1', '2', '3', '4', '5', '6']) notices.done(title)
  expect(titles()).toEqual(['2', '3', '4', '5', '6'])
})

test('one goes, the others stay', () => {
  for (const title of ['1', '2', '3']) notices.done(title)
  removeNotice(shownNotices.value[1]?.id ?? 0)
  expect(titles()).toEqual(['1', '3'])
})

test('what failed says why', () => {
  notices.failed('Nothing was saved', new Error('The disk is full.'))
  expect(shownNotices.value).toMatchObject([
    { title: 'Nothing was saved', kind: 'failed', description: 'The disk is full.' },
  ])
})

test('an undo that fails is reported', async () => {
  let undo = (): void => undefined
  const failed = new Promise<void>((resolve) => (undo = resolve))
  notices.done('It was removed', {
    label: 'Undo',
    run: () => Promise.reject(new Error('It is gone.')).finally(undo),
  })
  const undoOf = shownNotices.value[0]?.undo
  if (!undoOf) throw new Error('The notice has no undo.')
  runUndo(undoOf)
  await failed
  await expect.poll(titles).toEqual(['It was removed', 'Undo did not work'])
})
