import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { circles, imports, sources, type Import } from './import-graph.ts'

// Import rules inside the engine. The rooms are read from disk, so a new one is covered or fails.

const engine = 'electron/engine/'
const inEngine = (path: string): boolean => path.startsWith(engine)
const files = sources.filter(inEngine).map((path) => path.slice(engine.length))
const arrows = imports
  .filter(({ from, to }) => inEngine(from) && inEngine(to))
  .map((one) => ({ ...one, from: one.from.slice(engine.length), to: one.to.slice(engine.length) }))

/** From the ground up: a room imports from lower floors, and only types from its own floor. */
const floors = [
  ['ground'],
  ['chat-endpoint', 'network', 'protocol', 'text'],
  ['work'],
  ['message', 'prices', 'settings', 'transcripts'],
  [
    'approvals',
    'cache',
    'client-configs',
    'compression',
    'goals',
    'guardrails',
    'hooks',
    'ledger',
    'masking',
    'models',
    'replay',
    'results',
    'summaries',
    'telemetry',
    'tools',
  ],
  ['clients', 'servers'],
  ['screens'],
]

/** Files outside all rooms: the composition roots. */
const loose = ['engine.ts', 'engine.worker.ts']
/** Lines of the composition root: logic with its own rules belongs to a feature. */
const MOST_LINES = 200

/** Value imports against the rules, each until its importer gets them as an argument. The list may only get shorter. */
const valuesUp: readonly string[] = []

/** Type imports from a higher floor, each until the type is moved. The list may only get shorter. */
const typesUp: readonly string[] = []

const roomOf = (path: string): string | undefined => /^([^/]+)\//.exec(path)?.[1]
/** Loose files are above all rooms. */
const floorOf = (room: string | undefined): number =>
  room === undefined ? floors.length : floors.findIndex((rooms) => rooms.includes(room))
const features = floorOf('tools')

function isAgainstTheRules({ from, to, typeOnly }: Import): boolean {
  const [own, other] = [roomOf(from), roomOf(to)]
  if (own === undefined || own === other) return false
  const [here, there] = [floorOf(own), floorOf(other)]
  if (typeOnly) return there > here
  // A client's session shows tools, the purpose of that room; everything else comes from engine.ts.
  const isOfFeature = here === floorOf('clients') && there === features && other !== 'tools'
  return there >= here || isOfFeature
}

const against = arrows.filter(isAgainstTheRules)
const shown = (typeOnly: boolean): string[] => [
  ...new Set(against.filter((one) => one.typeOnly === typeOnly).map(({ from, to }) => `${from} → ${to}`)),
]

describe('the floors of the engine', () => {
  it('hold every room, and no file lies loose', () => {
    const rooms = new Set(files.map(roomOf).filter((room) => room !== undefined))
    expect([...rooms].toSorted()).toEqual(floors.flat().toSorted())
    expect(files.filter((path) => !path.includes('/')).toSorted()).toEqual(loose)
  })

  it('leave the composition root short', () => {
    expect(readFileSync(`${engine}engine.ts`, 'utf8').split('\n').length).toBeLessThanOrEqual(MOST_LINES)
  })

  it('let no value be imported from the same floor or a higher one', () => {
    expect(shown(false).toSorted()).toEqual(valuesUp.toSorted())
  })

  it('let no type be imported from a higher floor', () => {
    expect(shown(true).toSorted()).toEqual(typesUp.toSorted())
  })
})

describe('the import graph', () => {
  it('has no circle of imports, types included', () => {
    expect(circles(imports)).toEqual([])
  })

  it('finds a circle that is planted', () => {
    const a = { from: 'a.ts', to: 'b.ts' }
    const b = { from: 'b.ts', to: 'c.ts' }
    const c = { from: 'c.ts', to: 'a.ts' }
    expect(circles([a, b])).toEqual([])
    expect(circles([{ from: 'x.ts', to: 'a.ts' }, a, b, c])).toEqual([['a.ts', 'b.ts', 'c.ts']])
  })
})
