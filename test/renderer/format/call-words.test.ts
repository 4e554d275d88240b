import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { layerWords } from '../../../renderer/format/call-words.ts'

it('has words for each layer that a call passes', () => {
  const engine = readFileSync(new URL('../../../electron/engine/engine.ts', import.meta.url), 'utf8')
  const list = /const layers: .*?= \{\n(.*?)\n {2}\}/s.exec(engine)?.[1] ?? ''
  const layers = [...list.matchAll(/^ {4}'?([a-z-]+)'?:(?! \{ question)/gm)].map(([, name]) => name ?? '')
  expect(layers).toContain('compress-result')
  expect(layers.filter((name) => !(name in layerWords))).toEqual([])
})
