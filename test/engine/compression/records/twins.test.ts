import { expect, it } from 'vitest'
import { findTwins } from '../../../../electron/engine/compression/records/twins.ts'
import { jsonStrategy } from '../../../../electron/engine/compression/strategies/json.ts'
import { findLeaves } from '../../../../electron/engine/text/tree/find-leaves.ts'
import { sourceOf } from '../../../../electron/engine/text/tree/json-document.ts'
import { parseJson } from '../../../../electron/engine/text/tree/parse-json.ts'

const settings = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`option_${i}`, `value ${i * 7}`]))
const change = {
  before: { ...settings, instance_type: 't3.micro' },
  after: { ...settings, instance_type: 't3.small' },
}
const found = (value: unknown): { differing: string[]; repeated: number } => {
  const leaves = findLeaves(parseJson(JSON.stringify(value))!)
  const { differs, isRepeated } = findTwins(leaves)
  const differing = [...leaves.nodes].flatMap((node, leaf) =>
    differs[leaf] === 1 ? [sourceOf(leaves.document, node)] : [],
  )
  return { differing, repeated: isRepeated.reduce((sum, mark) => sum + mark, 0) }
}

it('finds what two objects beside each other say differently, and what the second repeats', () => {
  expect(found({ change })).toEqual({ differing: ['"t3.micro"', '"t3.small"'], repeated: 40 })
})

it('more than two such objects are a list, and two that have little alike are none', () => {
  expect(found({ a: change.before, b: change.after, c: settings }).differing).toEqual([])
  const others = Object.fromEntries(Object.keys(settings).map((key, i) => [key, `other ${i}`]))
  expect(found({ before: settings, after: others }).differing).toEqual([])
})

it('an overview has what differs before the rest', () => {
  const text = JSON.stringify({ format: '1.0', resource: { address: 'aws_instance.web', change } })
  const shown = jsonStrategy.compress({ text, goal: undefined, budget: 150 })?.text
  expect(shown).toContain('"instance_type":"t3.micro"')
  expect(shown).toContain('"after":{"instance_type":"t3.small"')
})

it(
  'compares pairs within pairs in time that grows with their depth, not with its cube',
  { timeout: 5000 },
  () => {
    const levels = 800
    const opening = Array.from({ length: levels }, (_, i) => `{"one":{"p":1,"q":${i},"r":3,"s":${i},"deep":`)
    const closing = '},"two":{"p":1,"q":2,"r":3,"s":5,"deep":1}}'.repeat(levels)
    const leaves = findLeaves(parseJson(`${opening.join('')}1${closing}`)!)
    // Half a minute, if each level were compared with paths in full.
    expect(findTwins(leaves).differs).not.toContain(1)
  },
)
