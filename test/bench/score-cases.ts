/**
 * `npm run score`: how many answers the compressor keeps on test/cases, by kind and family, compared with the best
 * lines by BM25 and with truncation. No rule or weight is fitted to these cases: every family is out of family.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { loadCompressor } from '../../electron/engine/compression/load-compressor.ts'
import { firstTokens } from '../../electron/engine/text/tokens/first-tokens.ts'
import { judge, missingIn, type Verdict } from '../cases/judge.ts'
import { readCases, type Case } from '../cases/read-cases.ts'
import { faultsOfCase, faultsOfRandom, faultTable } from '../faithful/faults.ts'
import { bestLines } from './line-bm25.ts'
import { pairedTable, sharesOf } from './paired-table.ts'
import { scoreTable, type Scored } from './score-table.ts'

const { values: options } = parseArgs({
  options: {
    /** Another folder of families, e.g. held-back ones; may be repeated. */
    dir: { type: 'string', multiple: true },
    budgets: { type: 'string', default: '500,1000,2000' },
    /** Only the families that were held back until the rules and weights were done. */
    held: { type: 'boolean', default: false },
    /** A file {case: what its user asked}: only these cases, with it as a prompt event would bring it. */
    requests: { type: 'string' },
    /** A file {case: goal}: only these cases, asked so, for instance in another language. */
    goals: { type: 'string' },
    kind: { type: 'string' },
    family: { type: 'string' },
    /** Only each N-th case, of results below 100,000 characters: the sign of a change in half a minute. */
    every: { type: 'string' },
    /** Writes the share that each case keeps at each budget. */
    save: { type: 'string' },
    /** Compares with a saved run, case by case. */
    against: { type: 'string' },
    /** Without BM25 and truncation. */
    alone: { type: 'boolean', default: false },
    /** Also prints a line per lost case. */
    losses: { type: 'boolean', default: false },
    /** All outputs as JSON lines. */
    dump: { type: 'string' },
    /** Writes the cases as one file in the shared case bank's format. */
    export: { type: 'string' },
    /** Tests faithfulness on this many random documents, and on the cases at each budget. */
    random: { type: 'string' },
    /** Only checks that answers are in their documents, and that each family's source is named. */
    check: { type: 'boolean', default: false },
  },
})

/** Alone, or beside a saved run, Sluice is all that counts. */
const isAlone = options.alone || options.against !== undefined || options.save !== undefined
const budgets = options.budgets.split(',').map(Number)
const heldBack = new Set(
  readFileSync(join(import.meta.dirname, '../cases/held-back.txt'), 'utf8').split('\n'),
)
const readById = (path: string | undefined): Readonly<Record<string, string>> =>
  path === undefined ? {} : JSON.parse(readFileSync(path, 'utf8'))
const requests = readById(options.requests)
const goals = readById(options.goals)
const cases = (options.dir ?? [join(import.meta.dirname, '../cases')])
  .flatMap((folder) => readCases(folder))
  .filter(({ kind }) => options.kind === undefined || kind === options.kind)
  .filter(({ family }) => !options.held || heldBack.has(family))
  .filter(({ family }) => options.family === undefined || family === options.family)
  .filter(({ document }) => options.every === undefined || document.length < 100_000)
  .filter(({ id }) => options.requests === undefined || requests[id] !== undefined)
  .filter(({ id }) => options.goals === undefined || goals[id] !== undefined)
  .map((one): Case => ({ ...one, goal: goals[one.id] ?? one.goal }))
  .filter((_, i) => i % Number(options.every ?? 1) === 0)

if (options.export !== undefined) {
  writeFileSync(options.export, gzipSync(cases.map((one) => JSON.stringify(one)).join('\n'), { level: 9 }))
} else if (options.check) {
  check()
} else if (options.random !== undefined) {
  const compress = await loadCompressor()
  const found = [
    ...faultsOfRandom(compress, Number(options.random), 1),
    ...cases.flatMap((one) => faultsOfCase(compress, one, budgets)),
  ]
  console.log(faultTable(found))
  process.exitCode = found.length === 0 ? 0 : 1
} else {
  await score()
}

function check(): void {
  const named = readFileSync(join(import.meta.dirname, '../../THIRD-PARTY.md'), 'utf8')
  for (const one of cases)
    for (const missing of missingIn(one)) console.log(`${one.id}: not in its document: ${missing}`)
  for (const family of new Set(cases.map((one) => one.family)))
    if (!named.includes(`\`${family}\``)) console.log(`${family}: no row in THIRD-PARTY.md`)
  const withGoal = cases.filter(({ goal }) => goal !== '')
  const paraphrased = withGoal.filter((one) => one.paraphrased)
  console.log(
    `${cases.length} cases of ${new Set(cases.map((one) => one.family)).size} families, ` +
      `${withGoal.length} with a goal, ${paraphrased.length} of them paraphrased`,
  )
}

async function score(): Promise<void> {
  const compress = await loadCompressor()
  const warm = cases.slice(0, 20)
  for (const { document: text, goal } of warm) compress({ text, goal, budget: 1000 })
  const scored: Scored[] = []
  const dump: string[] = []
  for (const one of cases) {
    for (const budget of budgets) {
      const before = process.threadCpuUsage()
      const request = requests[one.id]
      const output = compress({ text: one.document, goal: one.goal || undefined, request, budget })
      const { user, system } = process.threadCpuUsage(before)
      const ms = (user + system) / 1000
      const verdict = judge(one, output.text, budget)
      scored.push({ one, budget, ms, sluice: verdict, ...baselines(one, budget) })
      if (options.losses && verdict.strict < 1) console.log(lossLine(one, budget, verdict, output.strategy))
      if (options.dump !== undefined)
        dump.push(JSON.stringify({ id: one.id, budget, goal: one.goal, answers: one.answers, ...output }))
    }
  }
  if (options.dump !== undefined) writeFileSync(options.dump, dump.join('\n'))
  const shares = sharesOf(scored)
  if (options.save !== undefined) writeFileSync(options.save, JSON.stringify(shares))
  if (options.against !== undefined) {
    const before = JSON.parse(readFileSync(options.against, 'utf8')) as typeof shares
    console.log(pairedTable(before, shares, budgets))
    return
  }
  const withGoal = scored.filter(({ one }) => one.goal !== '')
  console.log(scoreTable('wording', withGoal, budgets, wordingOf))
  console.log(scoreTable('kind', scored, budgets, ({ kind }) => kind))
  console.log(scoreTable('family', scored, budgets, ({ family }) => family))
}

function baselines(one: Case, budget: number): Pick<Scored, 'bm25' | 'head'> {
  if (isAlone) return { bm25: undefined, head: undefined }
  const lines = bestLines(one.document, one.goal || undefined, budget)
  return { bm25: judge(one, lines, budget), head: judge(one, firstTokens(one.document, budget), budget) }
}

function wordingOf({ paraphrased }: Case): string {
  return paraphrased ? 'in other words' : 'in words of the result'
}

function lossLine(
  one: Case,
  budget: number,
  { kept, strict, over, valid }: Verdict,
  strategy: string,
): string {
  const shares = [`kept ${kept.toFixed(2)}`, `strict ${strict.toFixed(2)}`]
  const faults = [over ? 'over' : [], valid === false ? 'invalid JSON' : []].flat()
  return [one.id, one.kind, budget, strategy, ...shares, ...faults, one.goal, one.answers.join(' | ')].join(
    '  ',
  )
}
