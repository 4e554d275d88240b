/**
 * `npm run bench [-- --json] [-- --only calls|memory|compression]`: added latency and throughput of small calls, memory
 * with ten servers, and the time compression takes. Figures, no verdicts: speed is never part of a test.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatTable } from '../../electron/cli/format-table.ts'
import { testServer } from '../helpers/upstream.ts'
import { measureCalls } from './measure-calls.ts'
import type { CallFigures } from './measure-calls.ts'
import { measureCompression } from './measure-compression.ts'
import type { CompressionFigures } from './measure-compression.ts'
import { measureMemory } from './measure-memory.ts'
import type { MemoryFigures } from './measure-memory.ts'

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, only: { type: 'string' } },
})
const wanted = (part: string): boolean => values.only === undefined || values.only === part

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
try {
  const server = testServer('big-result')
  const machine = {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    /** Of the last minute: what else the machine had to do. */
    load: loadavg()[0] ?? 0,
  }
  const calls = wanted('calls') ? await measureCalls(join(folder, 'calls'), server) : undefined
  const memory = wanted('memory') ? await measureMemory(join(folder, 'memory'), server) : undefined
  const compression = wanted('compression') ? await measureCompression() : undefined
  if (values.json) console.log(JSON.stringify({ machine, calls, memory, compression }, undefined, 2))
  else {
    const { node, platform, processor, cores, load } = machine
    console.log(
      `Node ${node}, ${platform}, ${cores} × ${processor}, load ${load.toFixed(1)} before the start`,
    )
    if (calls) console.log(`\n${describeCalls(calls)}`)
    if (memory) console.log(`\n${describeMemory(memory)}`)
    if (compression) console.log(`\n${describeCompression(compression)}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function describeCalls(figures: readonly CallFigures[]): string {
  const ms = (value: number): string => value.toFixed(2)
  const rows = formatTable(figures, [
    { title: 'small call, ms', value: ({ name }) => name },
    { title: 'p50', value: ({ p50 }) => ms(p50), right: true },
    { title: 'p99', value: ({ p99 }) => ms(p99), right: true },
    { title: 'added p50', value: ({ addedP50 }) => ms(addedP50), right: true },
    { title: 'added p99', value: ({ addedP99 }) => ms(addedP99), right: true },
    {
      title: 'calls/s, 16 in flight',
      value: ({ callsPerSecond }) => Math.round(callsPerSecond),
      right: true,
    },
    { title: 'start, ms', value: ({ start }) => Math.round(start), right: true },
  ])
  return `1,000 calls each, in alternating rounds\n${rows}`
}

function describeMemory(figures: MemoryFigures): string {
  const rows: [string, number][] = [
    ['engine, nobody connected', figures.idle],
    [`engine, ${figures.servers} servers called`, figures.engine],
    ['engine, after a result of 5 MB from each', figures.afterLargeResults],
    ['one connector', figures.connector],
    ['the servers themselves, together', figures.serversOwn],
  ]
  return formatTable(rows, [
    { title: 'resident memory', value: ([name]) => name },
    { title: 'MB', value: ([, value]) => Math.round(value), right: true },
  ])
}

function describeCompression(figures: readonly CompressionFigures[]): string {
  const rows = formatTable(figures, [
    { title: 'kind', value: ({ kind }) => kind },
    { title: 'MB', value: ({ megabytes }) => megabytes.toFixed(1), right: true },
    { title: 'strategy', value: ({ strategy }) => strategy },
    { title: 'tokens before', value: ({ tokensBefore }) => tokensBefore, right: true },
    { title: 'after', value: ({ tokensAfter }) => tokensAfter, right: true },
    { title: 'ms', value: ({ ms }) => Math.round(ms), right: true },
    { title: 'ms/MB', value: ({ msPerMegabyte }) => Math.round(msPerMegabyte), right: true },
    { title: 'head only, ms', value: ({ headMs }) => headMs.toFixed(1), right: true },
  ])
  return `Shortening to 1,000 tokens without a goal, median of three\n${rows}`
}
