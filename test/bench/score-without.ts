/**
 * What rules earn: `node test/bench/score-without.ts RULES.json`, a list of {name, file, find, instead}. Each rule is an
 * expression of a source file, which is switched to another one for one run over the cases that reach it. Prints what
 * the answers kept change by without it, in questions: below 0 the rule earns something.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { judge } from '../cases/judge.ts'
import { readCases } from '../cases/read-cases.ts'

interface Rule {
  readonly name: string
  /** Below electron/engine. */
  readonly file: string
  /** An expression as it is written there, once. */
  readonly find: string
  readonly instead: string
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Folders of cases; the last part of the path names the set. */
    dir: { type: 'string', multiple: true, default: [join(import.meta.dirname, '../cases')] },
    budgets: { type: 'string', default: '500,1000' },
    every: { type: 'string', default: '3' },
    /** Longest document in characters. */
    longest: { type: 'string', default: '60000' },
    /** Only rules whose name matches, and of these each N-th from the K-th: `K/N`. */
    only: { type: 'string', default: '' },
    ids: { type: 'string' },
    part: { type: 'string', default: '0/1' },
  },
})
const engine = join(import.meta.dirname, '../../electron/engine')
const all = JSON.parse(readFileSync(positionals[0] ?? '', 'utf8')) as readonly Rule[]
const [part = 0, parts = 1] = options.part.split('/').map(Number)
const rules = all
  .filter(({ name }) => new RegExp(options.only).test(name))
  .filter((_, i) => i % parts === part)

let without = ''
let reached = new Set<string>()
Object.assign(globalThis, {
  isWithout: (name: string) => {
    reached.add(name)
    return name === without
  },
})
const placed = new Set<string>()
registerHooks({
  load(url, context, next) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : ''
    const own = rules.filter(({ file }) => path === join(engine, file))
    if (own.length === 0) return next(url, context)
    let source = readFileSync(path, 'utf8')
    for (const { name, find, instead } of own) {
      if (source.split(find).length !== 2) throw new Error(`${name}: not once in its file`)
      placed.add(name)
      // A statement of its own would go on the line before.
      const ends = /[\w)\]}'"`!]\s*\n\s*$/.test(source.slice(0, source.indexOf(find))) ? ';' : ''
      source = source.replace(find, () => `${ends}(isWithout('${name}') ? (${instead}) : (${find}))`)
    }
    return { format: 'module-typescript', source, shortCircuit: true }
  },
})

const { loadCompressor } = await import('../../electron/engine/compression/load-compressor.ts')
const compress = await loadCompressor()
for (const { name } of rules) if (!placed.has(name)) throw new Error(`${name}: its file is not loaded`)
const held = new Set(readFileSync(join(import.meta.dirname, '../cases/held-back.txt'), 'utf8').split('\n'))
const cases = options.dir.flatMap((folder) =>
  readCases(folder).map((one) => ({
    ...one,
    set: held.has(one.family) ? 'held' : (folder.split('/').findLast((name) => name !== '') ?? ''),
  })),
)
const sample = cases
  .filter(({ document }) => document.length <= Number(options.longest))
  .filter((_, i) => i % Number(options.every) === 0)
const wanted = options.ids === undefined ? undefined : new Set(readFileSync(options.ids, 'utf8').split('\n'))
const budgets = options.budgets.split(',').map(Number)

const chosen = sample.filter(({ id }) => wanted === undefined || wanted.has(id))
const keptOf = (one: (typeof sample)[number]): number[] =>
  budgets.map((budget) => {
    const { text } = compress({ text: one.document, goal: one.goal || undefined, budget })
    return judge(one, text, budget).strict
  })
const before = chosen.map((one) => {
  reached = new Set()
  const kept = keptOf(one)
  return { one, kept, reached }
})
console.log(
  'before',
  before.length,
  budgets
    .map((_, b) =>
      ((100 * before.reduce((sum, { kept }) => sum + (kept[b] ?? 0), 0)) / before.length).toFixed(2),
    )
    .join(' / '),
)
const sets = [...new Set(sample.map(({ set }) => set))]
console.log(`rule\treached\t${sets.map((set) => `${set} goal\t${set} none`).join('\t')}\tall\twon\tlost`)
for (const { name } of rules) {
  without = name
  // A parsed goal is remembered.
  for (let i = 0; i < 10; i++) compress({ text: 'a\n'.repeat(3000), goal: `flush ${name} ${i}`, budget: 500 })
  const sums = new Map<string, number>()
  let [count, won, lost] = [0, 0, 0]
  const changed: string[] = []
  for (const { one, kept, reached: rulesOfCase } of before) {
    if (!rulesOfCase.has(name)) continue
    count++
    const change = keptOf(one).map((share, i) => share - (kept[i] ?? 0))
    for (const each of change) if (each > 0) won += each
    for (const each of change) if (each < 0) lost -= each
    const sum = change.reduce((a, b) => a + b, 0)
    const key = `${one.set} ${one.goal === '' ? 'none' : 'goal'}`
    sums.set(key, (sums.get(key) ?? 0) + sum)
    if (Math.abs(sum) > 0.01) changed.push(`${one.id}:${sum.toFixed(2)}`)
  }
  without = ''
  const row = sets.flatMap((set) =>
    ['goal', 'none'].map((kind) => (sums.get(`${set} ${kind}`) ?? 0).toFixed(1)),
  )
  console.log(
    [
      name,
      count,
      ...row,
      (won - lost).toFixed(1),
      won.toFixed(1),
      lost.toFixed(1),
      changed.slice(0, 80).join(' '),
    ].join('\t'),
  )
}
