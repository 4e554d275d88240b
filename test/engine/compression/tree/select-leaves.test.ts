import { describe, expect, test } from 'vitest'
import { findLeaves } from '../../../../electron/engine/text/tree/find-leaves.ts'
import { createLeafTexts } from '../../../../electron/engine/compression/tree/leaf-texts.ts'
import { parseJson } from '../../../../electron/engine/text/tree/parse-json.ts'
import { renderLeaves } from '../../../../electron/engine/compression/tree/render-leaves.ts'
import { selectLeaves } from '../../../../electron/engine/compression/tree/select-leaves.ts'
import { countTokens } from '../../../../electron/engine/text/tokens/count-tokens.ts'

const words = ['ready', 'pending', 'a longer remark on this one', 'https://example.com/items/', 'Zürich', '']
const documents = {
  'records of short fields': Array.from({ length: 2000 }, (_, i) => ({
    id: i * 37,
    name: `item ${i}`,
    state: words[i % 6],
    price: i * 1.37,
    isOpen: i % 3 === 0,
  })),
  'nested records': Array.from({ length: 800 }, (_, i) => ({
    metadata: { name: `pod-${i}-x7f2`, labels: { app: words[i % 6], tier: `t${i % 4}` } },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', lastTransitionTime: `2026-05-0${i % 9}T10:00:00Z` }],
    },
  })),
  'lists of numbers': Array.from({ length: 900 }, (_, i) => [i, i * i, i / 7]),
  'long texts': Array.from({ length: 300 }, (_, i) => ({
    url: `${words[3]}${i}`,
    body: `${words[2]} `.repeat(i % 9),
  })),
}

describe('selectLeaves', () => {
  test.each(Object.entries(documents))(
    '%s: what is chosen has about as many tokens as it was to have',
    (_, value) => {
      const document = parseJson(JSON.stringify(value))
      if (document === undefined) throw new Error('This is JSON.')
      const leaves = findLeaves(document)
      const texts = createLeafTexts(leaves, undefined, 1000)
      const order = Array.from({ length: leaves.count }, (_, i) => (i * 7919) % leaves.count)
      for (const budget of [300, 1000, 3000]) {
        const chosen = selectLeaves(leaves, order, texts, budget)
        const tokens = countTokens(renderLeaves(leaves, chosen, (leaf) => texts.of(leaf)))
        expect(tokens / budget).toBeGreaterThan(0.85)
        expect(tokens / budget).toBeLessThan(1.15)
      }
    },
  )
})
