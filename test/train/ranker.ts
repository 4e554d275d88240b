/**
 * Fits the ranker of records and measures it on families left out: `node test/train/ranker.ts [fit | out | drop]`. fit
 * prints weights for resources/ranker.json; out the gain of a fit on cases of families that it never saw; drop what
 * each feature earns there. Reads only cases whose licence allows it.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { FEATURES, weights } from '../../electron/engine/compression/records/weights.ts'
import { fitRanker, winsOf } from './fit-ranker.ts'
import { exampleOf, type Example } from './ranker-cases.ts'

const CASES = new URL('../../../shared/cases/compress-qa.dev.jsonl.gz', import.meta.url)
const PERMITTED = /^(?:MIT|Apache-2\.0|CC BY)/
const KINDS = new Set(['json', 'table'])

interface Row {
  readonly id: string
  readonly kind: string
  readonly tag: string
  readonly licence?: string
  readonly document: string
  readonly goal: string | null
  readonly answers: readonly string[]
  readonly evidence?: readonly string[]
}

function readExamples(): Example[] {
  const rows = gunzipSync(readFileSync(CASES)).toString('utf8').trim().split('\n')
  return rows.flatMap((line) => {
    const { id, kind, tag, licence = '', document, goal, answers, evidence = [] } = JSON.parse(line) as Row
    if (goal === null || goal === '' || !KINDS.has(kind) || !PERMITTED.test(licence)) return []
    const example = exampleOf({ id, family: tag, document, goal, answers, evidence }, weights)
    return example === undefined ? [] : [example]
  })
}

/** Mean share of cases whose best item has an answer, each family scored by a fit on the others. */
function leftOut(examples: readonly Example[], without: ReadonlySet<number>): number {
  const families = [...new Set(examples.map(({ family }) => family))]
  const shares = families.map((family) => {
    const fitted = fitRanker(
      examples.filter((example) => example.family !== family),
      weights,
      without,
    )
    return winsOf(
      examples.filter((example) => example.family === family),
      fitted,
    )
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const percent = (share: number): string => (100 * share).toFixed(1)

const [mode = 'out'] = process.argv.slice(2)
const examples = readExamples()
if (mode === 'fit') {
  const fitted = fitRanker(examples, weights)
  say(JSON.stringify(Object.fromEntries(FEATURES.map((name, i) => [name, Number(fitted[i]?.toFixed(2))]))))
} else {
  const families = new Set(examples.map(({ family }) => family))
  const asShipped =
    [...families].reduce(
      (sum, family) =>
        sum +
        winsOf(
          examples.filter((example) => example.family === family),
          weights,
        ),
      0,
    ) / families.size
  const all = leftOut(examples, new Set())
  say(
    `${examples.length} cases, ${families.size} families: shipped ${percent(asShipped)}, fitted without the family ${percent(all)}`,
  )
  if (mode === 'drop')
    for (const [place, name] of FEATURES.entries())
      say(`${name}: ${percent(all - leftOut(examples, new Set([place])))}`)
}
