import { expect, test } from 'vitest'
import { absentIn } from '../../../../electron/engine/compression/rank/asked-absence.ts'
import { stemOf } from '../../../../electron/engine/text/words/stem.ts'

test.each([
  ['pods without a limit', ['limit']],
  ['which have no fix', ['fix']],
  ['tickets missing an owner', ['owner']],
  ['manager_id is null', ['manager_id']],
  ['rows whose amount is empty', ['amount']],
  ['Bestellungen ohne eine Adresse', ['Adresse']],
])('%s asks for what is not there', (goal, words) => {
  expect(absentIn(goal)).toEqual(
    words.flatMap((word) => word.split('_').map((each) => stemOf(each.toLowerCase()))),
  )
})

test.each([
  'no longer than a day',
  'no more than 5 retries',
  'translation of "without a name"',
  'the largest file',
])('%s asks for nothing of the kind', (goal) => {
  expect(absentIn(goal)).toEqual([])
})
