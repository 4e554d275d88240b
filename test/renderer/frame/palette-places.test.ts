import { expect, test } from 'vitest'
import { findPlaces } from '../../../renderer/format/find-places.ts'
import { palettePlaces, withRecent, type PaletteWorld } from '../../../renderer/frame/palette-places.ts'
import { sectionGroups } from '../../../renderer/frame/sections.ts'

function world(changed: Partial<PaletteWorld> = {}) {
  const did: unknown[] = []
  const at: PaletteWorld = {
    servers: ['files'],
    tools: [{ server: 'files', tool: 'read_text_file' }],
    settings: [],
    state: { on: true, compressing: true },
    switchTo: (change) => did.push(change),
    goTo: (path) => did.push(path),
    setTheme: (theme) => did.push(theme),
    showKeys: () => did.push('keys'),
    restart: (server) => did.push(`restart ${server}`),
    views: { saved: [], current: undefined, isSaved: false, save: () => {}, forget: () => {} },
    ...changed,
  }
  const first = (text: string) => findPlaces(palettePlaces(at), text)[0]?.places[0]
  return { did, first }
}

test('every deed is found by its words in any order, and does what it says', () => {
  const { did, first } = world()
  for (const text of [
    'pause',
    'hour compression',
    'readtext',
    'theme dark',
    'welcome',
    'export',
    'keys',
    'wrap',
    'cursor unwrap',
    'release',
    'files restart',
  ])
    first(text)?.go()
  expect(did).toEqual([
    { what: 'compression', on: false, minutes: 60 },
    { what: 'compression', on: false, minutes: 60 },
    '/tools/files/read_text_file',
    'dark',
    '/start',
    '/settings',
    'keys',
    '/clients',
    '/clients',
    '/quarantine',
    'restart files',
  ])
})

test('the switch offers what can be done now', () => {
  const off = world({ state: { on: false, compressing: true } })
  off.first('on sluice')?.go()
  expect(off.did).toEqual([{ what: 'everything', on: true }])
  const paused = world({ state: { on: true, compressing: false } })
  paused.first('resume')?.go()
  expect(paused.did).toEqual([{ what: 'compression', on: true }])
  expect(world({ state: undefined }).first('pause')).toBeUndefined()
})

test('every screen is there', () => {
  const labels = palettePlaces({
    ...({} as PaletteWorld),
    servers: [],
    tools: [],
    settings: [],
    state: undefined,
    views: { saved: [], current: undefined, isSaved: false, save: () => {}, forget: () => {} },
  })
    .flatMap(({ places }) => places)
    .map(({ label }) => label)
  expect(labels).toEqual(
    expect.arrayContaining(sectionGroups.flatMap(({ sections }) => sections.map(({ label }) => label))),
  )
})

test('recent places: newest first, each once, six at the most', () => {
  expect(withRecent(['a', 'b'], 'b')).toEqual(['b', 'a'])
  expect(withRecent(['1', '2', '3', '4', '5', '6'], '7')).toHaveLength(6)
})

test('a filtered screen is saved, found again, and forgotten', () => {
  const current = { label: 'Tools: unused', address: '/tools?which=unused' }
  const { did, first } = world({
    views: {
      saved: [current],
      current,
      isSaved: false,
      save: () => did.push('saved'),
      forget: () => did.push('forgotten'),
    },
  })
  first('save view')?.go()
  first('tools: unused')?.go()
  expect(did).toEqual(['saved', '/tools?which=unused'])
})

test.each(['profiles', 'budget', 'browsers', 'data folder'])('the palette knows "%s"', (text) => {
  const { did, first } = world()
  first(text)?.go()
  expect(did).toEqual([expect.stringMatching(/^\/settings\?text=/)])
})
