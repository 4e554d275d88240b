import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Window } from 'happy-dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { colourOf, colourValue } from '../../../renderer/format/series-colours.ts'

const css = readFileSync(join(import.meta.dirname, '../../../renderer/design/tokens.css'), 'utf8')

/** Light ones first, then dark ones. */
const valuesOf = (name: string): number[][] =>
  [...css.matchAll(new RegExp(`--${name}: #([0-9a-f]{6});`, 'g'))].map(([, hex = '']) =>
    [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)),
  )
const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((value, index) => value - (b[index] ?? 0)))

test.each([0, 1])('no colour of a server looks like a state, in theme %i', (theme) => {
  const states = ['amber', 'red', 'green'].map((name) => valuesOf(name)[theme] ?? [])
  for (let number = 1; number <= 8; number++) {
    const colour = valuesOf(`chart-${number}`)[theme] ?? []
    expect(colour).toHaveLength(3)
    for (const state of states) expect(distance(colour, state), `chart-${number}`).toBeGreaterThan(40)
  }
})

test('a server keeps its colour, also as the ninth, and an unknown one has the last', () => {
  const names = Array.from({ length: 9 }, (_, index) => `s${index}`)
  expect(['s0', 's8', 'other'].map((name) => colourOf(name, names))).toEqual([
    'var(--chart-1)',
    'var(--chart-1)',
    'var(--chart-8)',
  ])
})

test('a drawing gets the value that the theme has, as it is written or by its name', () => {
  const window = new Window()
  onTestFinished(() => {
    vi.unstubAllGlobals()
    void window.happyDOM.close()
  })
  vi.stubGlobal('document', window.document)
  vi.stubGlobal('getComputedStyle', window.getComputedStyle.bind(window))
  window.document.documentElement.setAttribute('style', '--chart-1:  #123456 ; --chart-2: #abcdef')
  expect(['var(--chart-1)', '--chart-2', '--none'].map(colourValue)).toEqual(['#123456', '#abcdef', ''])
})
