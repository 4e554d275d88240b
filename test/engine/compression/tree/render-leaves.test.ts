import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLeaves } from '../../../../electron/engine/text/tree/find-leaves.ts'
import type { JsonLeaves } from '../../../../electron/engine/text/tree/find-leaves.ts'
import { sourceOf } from '../../../../electron/engine/text/tree/json-document.ts'
import { minify } from '../../../../electron/engine/compression/tree/minify.ts'
import { parseJson } from '../../../../electron/engine/text/tree/parse-json.ts'
import { renderLeaves } from '../../../../electron/engine/compression/tree/render-leaves.ts'

function leavesOf(text: string): JsonLeaves {
  const document = parseJson(text)
  if (document === undefined) throw new Error(`This is not JSON: ${text}`)
  return findLeaves(document)
}
const textsOf = (leaves: JsonLeaves): string[] =>
  [...leaves.nodes].map((node) => sourceOf(leaves.document, node))

describe('renderLeaves', () => {
  test('prints any choice of leaves as JSON that holds just these', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.infiniteStream(fc.boolean()), (value, coins) => {
        const leaves = leavesOf(JSON.stringify(value))
        const all = textsOf(leaves)
        const chosen = all.flatMap((_, leaf) => (coins.next().value === true ? [leaf] : []))
        if (chosen.length === 0) return
        const printed = renderLeaves(leaves, chosen, (leaf) => all[leaf] ?? '')
        expect(() => JSON.parse(printed)).not.toThrow()
        expect(textsOf(leavesOf(printed))).toEqual(chosen.map((leaf) => all[leaf]))
      }),
      { numRuns: 500 },
    )
  })

  test('all leaves give the whole document', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const leaves = leavesOf(JSON.stringify(value))
        const all = textsOf(leaves)
        expect(renderLeaves(leaves, [...all.keys()], (leaf) => all[leaf] ?? '')).toBe(minify(leaves.document))
      }),
    )
  })

  test('an inserted text comes first in its container', () => {
    const leaves = leavesOf('{"a":{"b":1,"c":[2,3]},"d":4}')
    const print = (chosen: number[], container: number, text: string): string =>
      renderLeaves(leaves, chosen, (leaf) => textsOf(leaves)[leaf] ?? '', { container, text })
    expect(print([1], 2, '"x":0')).toBe('{"a":{"x":0,"c":[2]}}')
    expect(print([2, 3], 4, '"x"')).toBe('{"a":{"c":["x",3]},"d":4}')
  })

  test('nothing chosen leaves the empty frame', () => {
    expect(renderLeaves(leavesOf('[1]'), [], () => '')).toBe('[]')
    expect(renderLeaves(leavesOf('{"a":1}'), [], () => '')).toBe('{}')
  })
})
