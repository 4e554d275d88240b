/**
 * `node test/bench/compare-versions.ts OTHER CASES`: processor time of this tree's compressor and of OTHER's (a checkout
 * of another version) over the `*.jsonl.gz` files of a folder, each text in turns by both in one process. Milliseconds a
 * megabyte, cold (the first round, V8 still compiling) and warm (the least of the later ones).
 */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { CompressText } from '../../electron/engine/compression/compress-text.ts'
import { quantile } from './quantile.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    budget: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    kind: { type: 'string' },
    /** Only each N-th case. */
    every: { type: 'string', default: '1' },
    /** Also prints the N slowest texts. */
    slowest: { type: 'string', default: '0' },
  },
})
const [other = '', folder = ''] = positionals
const budget = Number(options.budget)

interface Asked {
  readonly id: string
  readonly kind: string
  readonly text: string
  readonly goal: string | undefined
  /** Per version: the first round, and the least of the others. */
  readonly cold: number[]
  readonly warm: number[]
}

const trees = [join(import.meta.dirname, '../..'), resolve(other)]
const compressors: CompressText[] = []
for (const tree of trees) {
  const url = join(tree, 'electron/engine/compression/load-compressor.ts')
  const { loadCompressor } = (await import(url)) as { loadCompressor: () => Promise<CompressText> }
  compressors.push(await loadCompressor())
}

const asked: Asked[] = globSync('*.jsonl.gz', { cwd: folder })
  .toSorted()
  .flatMap((file) =>
    gunzipSync(readFileSync(join(folder, file)))
      .toString()
      .trim()
      .split('\n'),
  )
  .map((line) => JSON.parse(line) as Record<string, unknown>)
  .flatMap(({ id, kind, document, goal }) =>
    typeof document === 'string' && (options.kind === undefined || kind === options.kind)
      ? [
          {
            id: String(id),
            kind: String(kind),
            text: document,
            goal: goal === '' ? undefined : (goal as string),
            cold: [],
            warm: [],
          },
        ]
      : [],
  )
  .filter((_, i) => i % Number(options.every) === 0)

for (let round = 0; round < Number(options.rounds); round++) {
  for (const [i, one] of asked.entries()) {
    for (const version of (i + round) % 2 === 0 ? [0, 1] : [1, 0]) {
      const before = process.threadCpuUsage()
      compressors[version]?.({ text: one.text, goal: one.goal, budget })
      const { user, system } = process.threadCpuUsage(before)
      const ms = (user + system) / 1000
      if (round === 0) one.cold[version] = ms
      else one.warm[version] = Math.min(one.warm[version] ?? Infinity, ms)
    }
  }
}

const groups = [...Map.groupBy(asked, ({ kind }) => kind)].toSorted(([a], [b]) => (a < b ? -1 : 1))
console.log(
  'kind          n    MB   cold ms/MB: this, other   warm ms/MB: this, other   p50, p99 warm: this, other',
)
for (const [kind, members] of [...groups, ['all', asked] as const]) {
  const megabytes = members.reduce((sum, { text }) => sum + text.length, 0) / 1e6
  const perMegabyte = (pick: (one: Asked) => number[]) =>
    [0, 1]
      .map((version) =>
        (members.reduce((sum, one) => sum + (pick(one)[version] ?? 0), 0) / megabytes).toFixed(0).padStart(6),
      )
      .join('')
  const middle = (p: number) =>
    [0, 1]
      .map((version) =>
        quantile(
          members.map(({ warm }) => warm[version] ?? 0),
          p,
        )
          .toFixed(1)
          .padStart(7),
      )
      .join('')
  console.log(
    `${kind.padEnd(10)} ${String(members.length).padStart(4)} ${megabytes.toFixed(2).padStart(5)}  ${perMegabyte(({ cold }) => cold)}              ${perMegabyte(({ warm }) => warm)}            ${middle(0.5)} ${middle(0.99)}`,
  )
}
for (const one of asked
  .toSorted((a, b) => (b.warm[0] ?? 0) - (a.warm[0] ?? 0))
  .slice(0, Number(options.slowest)))
  console.log(`${one.id}  ${one.kind}  ${one.text.length}  ${one.warm.map((ms) => ms.toFixed(1)).join('  ')}`)
