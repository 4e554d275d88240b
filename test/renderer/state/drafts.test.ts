import { expect, it } from 'vitest'
import { ref } from 'vue'
import { hasDraft, useDraft } from '../../../renderer/state/drafts.ts'

it('keeps what was typed while others are looked at, until it is saved or discarded', () => {
  const key = ref('one')
  const saved = ref<Record<string, { words: string }>>({ one: { words: 'a' }, two: { words: 'b' } })
  const open = () =>
    useDraft(
      () => key.value,
      () => saved.value[key.value] ?? { words: '' },
    )
  const { draft, isChanged, isOutdated, rebase, discard } = open()
  draft.value = { words: 'typed' }
  key.value = 'two'
  expect([draft.value.words, isChanged.value]).toEqual(['b', false])
  key.value = 'one'
  expect(open().draft.value.words).toBe('typed')
  saved.value = { one: { words: 'from elsewhere' } }
  expect([draft.value.words, isChanged.value, hasDraft('one')]).toEqual(['typed', true, true])
  expect(isOutdated.value).toBe(true)
  draft.value = { words: 'typed on' }
  expect(isOutdated.value).toBe(true)
  rebase()
  expect([draft.value.words, isOutdated.value]).toEqual(['typed on', false])
  discard()
  expect([draft.value.words, isChanged.value, hasDraft('one')]).toEqual(['from elsewhere', false, false])
  draft.value = { words: 'typed' }
  draft.value = { words: 'from elsewhere' }
  expect(hasDraft('one')).toBe(false)
})

it('what is typed while a draft is being saved stays: into another one, and into the same', () => {
  const key = ref('three')
  const saved = ref<Record<string, { words: string }>>({ three: { words: 'a' }, four: { words: 'b' } })
  const { draft, isChanged, isOutdated, take } = useDraft(
    () => key.value,
    () => saved.value[key.value] ?? { words: '' },
  )
  draft.value = { words: 'first' }
  const first = take()
  expect(first.value).toEqual({ words: 'first' })
  key.value = 'four'
  draft.value = { words: 'of the other' }
  saved.value = { ...saved.value, three: { words: 'first' } }
  first.wasSaved()
  expect([draft.value.words, isChanged.value, hasDraft('three')]).toEqual(['of the other', true, false])
  const second = take()
  draft.value = { words: 'of the other, and more' }
  saved.value = { ...saved.value, four: { words: 'of the other' } }
  second.wasSaved()
  expect([draft.value.words, isChanged.value, isOutdated.value]).toEqual([
    'of the other, and more',
    true,
    false,
  ])
})
