import { expect, test } from 'vitest'
import { loadCompressor } from '../../../../../electron/engine/compression/load-compressor.ts'

const compress = await loadCompressor()
const towns = ['Aarau', 'Bulle', 'Chur', 'Davos', 'Egg', 'Flims', 'Glarus', 'Horgen', 'Ilanz', 'Jona']
const items = Array.from({ length: 60 }, (_, i) => {
  const name = `${towns[i % 10] ?? ''}-${i}`
  return `  <depot><name>${name}</name><stock unit="kg">${(i * 37) % 900}</stock><note><![CDATA[a < ${i}]]></note></depot>`
})
const text = `<?xml version="1.0"?>\n<depots>\n${items.join('\n')}\n</depots>\n`

test('an element is a line without its closing tag, and marks of other texts are whole', () => {
  const shown = compress({ text, goal: 'stock and note of Flims-25', budget: 120 }).text
  const lines = shown.split('\n').map((line) => line.trim())
  expect(lines).toContain('<name>Flims-25')
  expect(lines).toContain('<stock unit="kg">25')
  expect(lines.join('\n')).toContain('<![CDATA[a < 25]]>')
  expect(shown).not.toContain('</')
})
