import { expect, test } from 'vitest'
import { findPlaces } from '../../../renderer/format/find-places.ts'

const groups = [
  {
    label: 'Screens',
    places: [
      { label: 'Overview', suffix: 'How much did it keep out?' },
      { label: 'Tools', suffix: 'What does each cost?' },
    ],
  },
  {
    label: 'Tools',
    places: [
      { label: 'rewrite_note', suffix: 'notes' },
      { label: 'write_note', suffix: 'notes' },
      { label: 'write_file', suffix: 'files' },
      { label: 'Note of the day', suffix: 'calendar' },
    ],
  },
  { label: 'Servers', places: [{ label: 'notes' }, { label: 'files' }] },
]
const found = (text: string): string[] =>
  findPlaces(groups, text).flatMap(({ label, places }) => places.map((place) => `${label}: ${place.label}`))

test('without a text all are there, in their order', () => {
  expect(found(' ')).toHaveLength(8)
  expect(found('')[0]).toBe('Screens: Overview')
})

test('what begins with the text comes first, then a word of it, then what has it within, then what has it elsewhere', () => {
  expect(found('note')).toEqual([
    'Tools: Note of the day',
    'Tools: rewrite_note',
    'Tools: write_note',
    'Servers: notes',
  ])
  expect(found('write')).toEqual(['Tools: write_note', 'Tools: write_file', 'Tools: rewrite_note'])
})

test('the group with the best match leads', () => {
  expect(found('files')).toEqual(['Servers: files', 'Tools: write_file'])
})

test('words may stand in any order, in the label and in the suffix', () => {
  expect(found('notes write')).toEqual(['Tools: rewrite_note', 'Tools: write_note'])
  expect(found('COST each')).toEqual(['Screens: Tools'])
  expect(found('write nothing')).toEqual([])
})

test('of a long group only the first twelve', () => {
  const places = Array.from({ length: 40 }, (_, index) => ({ label: `tool ${index}` }))
  expect(findPlaces([{ label: 'Tools', places }], 'tool')[0]?.places).toEqual(places.slice(0, 12))
})

test('words are found in any order, joined, and by what else the thing is called', () => {
  expect(found('notes write')).toEqual(['Tools: rewrite_note', 'Tools: write_note'])
  expect(found('writefile')).toEqual(['Tools: write_file'])
  const pause = { label: 'Pause compression for an hour', words: 'stop off' }
  const named = findPlaces([{ label: 'Actions', places: [pause] }], 'hour stop')
  expect(named.flatMap(({ places }) => places)).toEqual([pause])
})
