import * as fc from '../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { findLeaves } from '../../../../electron/engine/text/tree/find-leaves.ts'
import type { JsonLeaves } from '../../../../electron/engine/text/tree/find-leaves.ts'
import { sourceOf } from '../../../../electron/engine/text/tree/json-document.ts'
import { minify } from '../../../../electron/engine/compression/tree/minify.ts'
import { parseJson } from '../../../../electron/engine/text/tree/parse-json.ts'
import { printJson } from '../../../../electron/engine/text/readers/json.ts'

function leavesOf(text: string): JsonLeaves {
  const document = parseJson(text)
  if (document === undefined) throw new Error(`This is not JSON: ${text}`)
  return findLeaves(document)
}
const textsOf = (leaves: JsonLeaves): string[] =>
  [...leaves.nodes].map((node) => sourceOf(leaves.document, node))

const print = (leaves: JsonLeaves, chosen: readonly number[]): string =>
  printJson(
    leaves.document,
    chosen.map((leaf) => leaves.nodes[leaf] ?? 0),
    (node) => sourceOf(leaves.document, node),
  )

describe('printJson', () => {
  test('prints any choice of leaves as JSON that holds just these', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.infiniteStream(fc.boolean()), (value, coins) => {
        const leaves = leavesOf(JSON.stringify(value))
        const all = textsOf(leaves)
        const chosen = all.flatMap((_, leaf) => (coins.next().value === true ? [leaf] : []))
        if (chosen.length === 0) return
        const printed = print(leaves, chosen)
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
        expect(print(leaves, [...leaves.nodes.keys()])).toBe(minify(leaves.document))
      }),
    )
  })

  test('nothing chosen leaves the empty frame', () => {
    expect(print(leavesOf('[1]'), [])).toBe('[]')
    expect(print(leavesOf('{"a":1}'), [])).toBe('{}')
  })
})
