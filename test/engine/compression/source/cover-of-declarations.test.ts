import { describe, expect, test } from 'vitest'
import { parseGoal } from '../../../../electron/engine/compression/rank/goal.ts'
import { chunkSource } from '../../../../electron/engine/compression/source/chunk-source.ts'
import { coverOfDeclarations } from '../../../../electron/engine/compression/source/cover-of-declarations.ts'
import { findDefinitions } from '../../../../electron/engine/compression/source/find-definitions.ts'

/** The best chunk's text; undefined where none has a declaration with the goal's words. */
function best(source: string, goal: string): string | undefined {
  const definitions = findDefinitions(source)
  const chunks = chunkSource(source, definitions, 20)
  const covers = coverOfDeclarations(source, chunks, definitions, parseGoal(goal))
  if (covers === undefined) return undefined
  const most = covers.reduce((first, cover, i) => (cover > (covers[first] ?? 0) ? i : first), 0)
  const chunk = chunks[most]
  return chunk === undefined || covers[most] === 0 ? '' : source.slice(chunk.start, chunk.end)
}

const use = (name: string) =>
  `function tidy() {\n${Array.from({ length: 40 }, (_, i) => `  store(${name}, ${i})`).join('\n')}\n}\n`

describe('coverOfDeclarations', () => {
  test.each([
    ['#define MAX_IDLE 20 /* seconds */', 'MAX_IDLE', 'how many seconds is the maximum idle'],
    ['const maxIdle = 20', 'maxIdle', 'default of maxIdle'],
    ['  maxIdle: Int = 20,', 'maxIdle', 'default of maxIdle'],
    ["  'max_idle' => 20,", 'max_idle', 'default of max_idle'],
    ['# How long a visitor stays.\nSTAY = "20 min"', 'STAY', 'how long does a visitor stay'],
  ])('%s', (line, name, goal) => {
    expect(best(`${line}\n\n${use(name)}`, goal)).toContain(line.trim())
  })

  test('what a function does with the name is no declaration', () => {
    expect(best(use('maxIdle').replaceAll('store(', 'total = store('), 'default of maxIdle')).toBe('')
  })

  test('nothing where no value is asked for', () => {
    expect(best('const maxIdle = 20\n', 'who uses maxIdle')).toBeUndefined()
  })
})
