import { describe, expect, test } from 'vitest'
import { jsonStrategy } from '../../../../electron/engine/compression/strategies/json.ts'

type Matrix = Record<string, number[] | Record<string, number>>

describe('rows of a matrix that a list beside it names', () => {
  const towns = Array.from({ length: 24 }, (_, i) => `Town${String.fromCharCode(65 + i)}`)
  const distances = towns.map((_, row) => towns.map((__, column) => ((row * 31 + column * 17) * 7919) % 1000))
  const shownOf = (value: object, goal: string | undefined, budget = 400): Record<string, Matrix> =>
    JSON.parse(jsonStrategy.compress({ text: JSON.stringify(value), goal, budget })?.text ?? '') as Record<
      string,
      Matrix
    >
  const ofCells = (matrix: Matrix): (readonly [string, string, number])[] =>
    Object.entries(matrix).flatMap(([row, cells]) =>
      Object.entries(cells).map(
        ([column, value]) =>
          [row, Array.isArray(cells) ? (towns[Number(column)] ?? '') : column, value] as const,
      ),
    )

  test.each(['distance from TownF to TownT', undefined])(
    'have their names where some are left out (%s)',
    (goal) => {
      const { matrix } = shownOf({ labels: towns, matrix: distances }, goal)
      const cells = ofCells(matrix ?? {})
      expect(cells.length).toBeGreaterThan(8)
      for (const [row, column, value] of cells)
        expect(value).toBe(distances[towns.indexOf(row)]?.[towns.indexOf(column)])
      if (goal !== undefined) expect(cells).toContainEqual(['TownF', 'TownT', distances[5]?.[19]])
    },
  )

  test('stay in a list where all are shown', () => {
    const { matrix } = shownOf({ labels: towns, matrix: distances }, undefined, 100_000)
    expect(matrix).toEqual(distances)
  })

  test('of two lists have those of the rows', () => {
    const value = {
      destinations: towns.map((name) => ({ name: `to ${name}` })),
      sources: towns.map((name) => ({ name: `from ${name}` })),
      durations: distances,
    }
    const { durations } = shownOf(value, 'duration from TownF to TownT', 700)
    const found = durations?.['from TownF']
    const cell = Array.isArray(found) ? found[19] : found?.['to TownT']
    expect(cell).toBe(distances[5]?.[19])
  })

  test('have their places where the list names columns, or lists disagree', () => {
    const rows = towns.slice(0, 6).map((_, row) => towns.slice(0, 6).map((__, column) => row * 6 + column))
    for (const names of [
      { columns: towns.slice(0, 6) },
      { left: towns.slice(0, 6), right: towns.slice(6, 12) },
    ]) {
      const shown = shownOf(
        { ...names, rows: rows.map((row) => row.map((cell) => cell * 1_000_003)) },
        'row 4',
        90,
      )
      const found: unknown = shown.rows
      expect(Array.isArray(found) || Object.keys(found as object).every((key) => /^\d$/.test(key))).toBe(true)
    }
  })
})
