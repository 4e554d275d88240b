import { describe, expect, test } from 'vitest'
import { jsonStrategy } from '../../../../electron/engine/compression/strategies/json.ts'

const PLACES = ['Tallinn', 'Bergen', 'Cadiz', 'Lyon', 'Ghent']

/** 63 ships, each at one of seven piers; `kestrel-31` shares its pier with every seventh. */
const ships = ['kestrel', 'plover', 'dunlin'].flatMap((name, kind) =>
  Array.from({ length: 21 }, (_, n) => ({
    ship: `${name}-${n + 20}`,
    from: PLACES[(n + kind) % 5],
    pier: `P${(((n + kind * 3) * 5) % 7) + 40}`,
    crew: 12 + ((n * 7 + kind) % 19),
  })),
)

function shown(goal: string, budget: number): string[] {
  const output = jsonStrategy.compress({ text: JSON.stringify(ships), goal, budget })
  return [...(output?.text ?? '').matchAll(/"ship":"([^"]+)"/g)].map(([, name]) => name ?? '')
}
const pierOf = (name: string): string | undefined => ships.find(({ ship }) => ship === name)?.pier
const beside = ships.filter(({ ship, pier }) => ship !== 'kestrel-31' && pier === pierOf('kestrel-31'))

describe('records with the same value as one that the goal names', () => {
  // The first needs, too, that words of a name which the goal says whole are not sought in other names.
  test.each([
    'which ships lie at the same pier as kestrel-31',
    'welche Schiffe liegen am selben Pier wie kestrel-31',
    'quels navires sont au même pier que kestrel-31',
  ])('%s', (goal) => {
    const names = shown(goal, 260)
    expect(names).toContain('kestrel-31')
    expect(beside.filter(({ ship }) => names.includes(ship))).toHaveLength(beside.length)
  })

  test('are not sought where the goal does not ask for them', () => {
    const names = shown('at which pier does kestrel-31 lie', 260)
    expect(names).toContain('kestrel-31')
    expect(beside.filter(({ ship }) => names.includes(ship)).length).toBeLessThan(beside.length)
  })
})
