import { describe, expect, test } from 'vitest'
import { loadCompressor } from '../../../electron/engine/compression/load-compressor.ts'
import { readCases } from '../../cases/read-cases.ts'
import { faultsOfCase, faultsOfRandom, faultTable } from '../../faithful/faults.ts'
import type { Rule } from '../../faithful/violations.ts'

const compress = await loadCompressor()

/** The first question of each family; `npm run score -- --random 5000` tries all and more documents. */
const cases = [...Map.groupBy(readCases(), ({ family }) => family).values()].flatMap(([first]) =>
  first === undefined ? [] : [first],
)
const ofCases = cases.flatMap((one) => faultsOfCase(compress, one, [500, 1000]))
const DOCUMENTS = 120
const ofRandom = faultsOfRandom(compress, DOCUMENTS, 1)

const PROMISES: readonly (readonly [rule: Rule, promise: string])[] = [
  ['budget', 'no output is over its budget'],
  ['json', 'JSON in, JSON out'],
  [
    'whole',
    'no path, address, id, number or dotted name is printed that the source lacks, or a part without a mark',
  ],
  ['order', 'the words between marks stand in that order in the source'],
  ['record', 'the members of a printed object are of one object'],
  ['name', 'no record is printed without the field that names it'],
  ['header', 'the header counts truthfully'],
  ['less', 'a larger budget never keeps less'],
]

describe.each([
  ['cases', ofCases],
  ['random documents', ofRandom],
] as const)('%s', (_, faults) => {
  test.each(PROMISES)('%s: %s', (rule) => {
    const broken = faults.filter((fault) => fault.rule === rule)
    expect(faultTable(broken)).toBe('')
  })
})
