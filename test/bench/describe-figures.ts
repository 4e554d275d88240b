import { formatTable } from '../../electron/cli/format-table.ts'
import type { LoadFigures } from './measure-load.ts'
import type { CacheFigures } from './measure-cache.ts'
import type { CallFigures } from './measure-calls.ts'
import type { CompressionFigures } from './measure-compression.ts'
import type { LargeFigures } from './measure-large.ts'
import type { LatencyFigures } from './measure-latency.ts'
import type { ListFigures } from './measure-lists.ts'
import type { MemoryFigures } from './measure-memory.ts'
import type { NeighbourFigures } from './measure-neighbours.ts'
import type { PageFigures } from './measure-page.ts'
import type { RetentionFigures } from './measure-retention.ts'
import type { ShortenedFigures } from './measure-shortened.ts'
import type { StartFigures } from './measure-start.ts'
import type { TurnFigures } from './measure-turns.ts'

const tenths = (value: number): string => value.toFixed(1)
const hundredths = (value: number): string => value.toFixed(2)
/** NaN when a process can't be read. */
const whole = (value: number): number | string => (Number.isNaN(value) ? '–' : Math.round(value))

export const machine = (facts: {
  node: string
  platform: string
  processor: string
  cores: number
  load: number
  program: string
}): string =>
  `Node ${facts.node}, ${facts.platform}, ${facts.cores} × ${facts.processor}, load ${tenths(facts.load)} before the start; measured: the ${facts.program}`

export const start = (figures: readonly StartFigures[]): string =>
  `From starting a process to the answer to its first tools/list, median\n${formatTable(figures, [
    { title: 'start', value: ({ name }) => name },
    { title: 'ms', value: ({ ms }) => whole(ms), right: true },
    { title: 'best', value: ({ best }) => whole(best), right: true },
    { title: 'processor ms', value: ({ cpu }) => whole(cpu), right: true },
    { title: '× server alone', value: ({ ratio }) => hundredths(ratio), right: true },
  ])}`

export const calls = (figures: readonly CallFigures[]): string =>
  `Small calls, in alternating rounds\n${formatTable(figures, [
    { title: 'small call, ms', value: ({ name }) => name },
    { title: 'p50', value: ({ p50 }) => hundredths(p50), right: true },
    { title: 'p99', value: ({ p99 }) => hundredths(p99), right: true },
    { title: 'added p50', value: ({ addedP50 }) => hundredths(addedP50), right: true },
    { title: 'added p99', value: ({ addedP99 }) => hundredths(addedP99), right: true },
    { title: '× relay', value: ({ addedRatio }) => hundredths(addedRatio), right: true },
    {
      title: 'calls/s, 16 in flight',
      value: ({ callsPerSecond }) => whole(callsPerSecond),
      right: true,
    },
  ])}`

export const latency = ({ small, results }: LatencyFigures): string =>
  `Small calls, in rounds by turns, ms\n${formatTable(small, [
    { title: 'small call', value: ({ name }) => name },
    { title: 'p50', value: ({ p50 }) => hundredths(p50), right: true },
    { title: 'p99', value: ({ p99 }) => hundredths(p99), right: true },
    { title: 'added', value: ({ added }) => hundredths(added), right: true },
    { title: '× relay', value: ({ ratio }) => hundredths(ratio), right: true },
    { title: 'calls/s, 16 in flight', value: ({ callsPerSecond }) => whole(callsPerSecond), right: true },
    { title: '× relay', value: ({ throughput }) => hundredths(throughput), right: true },
    { title: 'connector µs', value: ({ connectorUs }) => whole(connectorUs), right: true },
    { title: 'engine µs', value: ({ engineUs }) => whole(engineUs), right: true },
  ])}\nResults by size, medians, ms\n${formatTable(results, [
    { title: 'result', value: ({ kind, bytes }) => `${kind} of ${bytes / 1000} kB` },
    { title: 'alone', value: ({ alone }) => tenths(alone), right: true },
    { title: 'relay', value: ({ relay }) => tenths(relay), right: true },
    { title: 'joined', value: ({ joined }) => tenths(joined), right: true },
    { title: 'first', value: ({ first }) => tenths(first), right: true },
    { title: 'slowest', value: ({ p99 }) => tenths(p99), right: true },
    { title: 'added', value: ({ added }) => tenths(added), right: true },
    { title: 'engine, processor ms', value: ({ engineMs }) => whole(engineMs), right: true },
  ])}`

export const load = (figures: readonly LoadFigures[]): string =>
  figures
    .map(({ name, calls: made, errors, callsPerSecond, p50, p99, memory: held }) => {
      const memoryText = held ? `; the engine holds ${held[0]} MB before and ${held[1]} MB after` : ''
      return `${name}: ${made} calls, ${errors} errors, ${Math.round(callsPerSecond)} a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms${memoryText}`
    })
    .join('\n')

export const large = (figures: readonly LargeFigures[]): string =>
  `A result of ${figures[0]?.megabytes} MB, nothing shortened, median\n${formatTable(figures, [
    { title: 'large result', value: ({ name }) => name },
    { title: 'ms', value: ({ ms }) => whole(ms), right: true },
    { title: '× server alone', value: ({ ratio }) => hundredths(ratio), right: true },
  ])}`

export const shortened = (figures: readonly ShortenedFigures[]): string =>
  `A result of ${figures[0]?.megabytes} MB that is shortened on its way; both times with the making of the text\n${formatTable(
    figures,
    [
      { title: 'large result, shortened', value: ({ kind }) => kind },
      { title: 'server alone, ms', value: ({ aloneMs }) => whole(aloneMs), right: true },
      { title: 'through Sluice, ms', value: ({ ms }) => whole(ms), right: true },
      { title: 'engine, processor ms', value: ({ cpuMs }) => whole(cpuMs), right: true },
      { title: 'longest stall of the main thread, ms', value: ({ stallMs }) => whole(stallMs), right: true },
      { title: '… of its own work', value: ({ stallCpuMs }) => whole(stallCpuMs), right: true },
      { title: 'memory, × text', value: ({ memory }) => tenths(memory), right: true },
    ],
  )}`

export const neighbours = (figures: readonly NeighbourFigures[]): string =>
  `Calls of a client beside what another one asks for, ms\n${formatTable(figures, [
    { title: 'beside', value: ({ beside }) => beside },
    { title: 'which took', value: ({ ms }) => whole(ms), right: true },
    { title: 'echo p50', value: ({ echo }) => whole(echo.p50), right: true },
    { title: 'p99', value: ({ echo }) => whole(echo.p99), right: true },
    { title: 'most', value: ({ echo }) => whole(echo.max), right: true },
    { title: '12 kB p50', value: ({ result }) => whole(result.p50), right: true },
    { title: 'p99', value: ({ result }) => whole(result.p99), right: true },
    { title: 'most', value: ({ result }) => whole(result.max), right: true },
    { title: 'calls', value: ({ result }) => result.calls, right: true },
    { title: 'engine, MB', value: ({ rss }) => whole(rss), right: true },
  ])}`

export const turns = (figures: readonly TurnFigures[]): string =>
  `The longest turn of the engine's main thread, ms\n${formatTable(figures, [
    { title: 'meanwhile', value: ({ what }) => what },
    { title: 'its processor time', value: ({ cpuMs }) => whole(cpuMs), right: true },
    { title: 'with waiting', value: ({ ms }) => whole(ms), right: true },
    { title: 'all above 25', value: ({ heldMs }) => whole(heldMs), right: true },
    { title: 'whole answer', value: ({ wholeMs }) => whole(wholeMs), right: true },
    { title: "engine's processor time", value: ({ engineCpuMs }) => whole(engineCpuMs), right: true },
  ])}`

export function lists(figures: ListFigures): string {
  const { servers, slowest } = figures
  const rows: [string, number, number][] = [
    ['the slowest server, directly', slowest, 1],
    [`${servers} servers through Sluice, first time`, figures.first, figures.firstRatio],
    ['… later', figures.later, figures.laterRatio],
    [`${servers} servers started and listed at once, directly`, figures.startDirectly, 1],
    ['… through Sluice', figures.startThrough, figures.startRatio],
  ]
  return formatTable(rows, [
    { title: 'tools/list', value: ([name]) => name },
    { title: 'ms', value: ([, ms]) => tenths(ms), right: true },
    { title: '× directly', value: ([, , ratio]) => hundredths(ratio), right: true },
  ])
}

export function memory({ states, heap, connector, bareNode, serversOwn }: MemoryFigures): string {
  const rows = [
    ...states.map((state) => ({ ...state, name: `engine, ${state.name}` })),
    { name: 'one connector', ...connector },
    { name: 'a bare Node', ...bareNode },
  ]
  const table = formatTable(rows, [
    { title: 'memory, MB', value: ({ name }) => name },
    { title: 'resident', value: ({ rss }) => whole(rss), right: true },
    { title: 'shared counted in shares', value: ({ pss }) => whole(pss), right: true },
    { title: 'worker threads', value: ({ workers }) => workers, right: true },
  ])
  return (
    `${table}\nin the end: heap ${whole(heap.heapUsed)} of ${whole(heap.heapTotal)} used, external ${whole(heap.external)}, ` +
    `buffers ${whole(heap.arrayBuffers)}; the servers' own processes: ${whole(serversOwn)}`
  )
}

export function page({ ledgerRows, chartsMs, seconds, callsPerSecond, pages }: PageFigures): string {
  const { wanted, reached } = callsPerSecond
  return (
    `Charts of ${ledgerRows} ledger rows, drawn after ${whole(chartsMs)} ms\n` +
    `${seconds} s of ${whole(reached)} calls/s (${wanted} wanted)\n` +
    formatTable(pages, [
      { title: 'open screen', value: ({ name }) => name },
      { title: 'longest task, ms', value: ({ longestTask }) => whole(longestTask), right: true },
      { title: 'tasks over 50 ms', value: ({ tasksOver50 }) => tasksOver50, right: true },
      { title: 'heap early, MB', value: ({ heapEarly }) => tenths(heapEarly), right: true },
      { title: 'late', value: ({ heapLate }) => tenths(heapLate), right: true },
    ])
  )
}

export const compression = (figures: readonly CompressionFigures[]): string =>
  `Shortening to 1,000 tokens without a goal, each text in a process of its own, processor time\n${formatTable(
    figures,
    [
      { title: 'kind', value: ({ kind }) => kind },
      { title: 'MB', value: ({ megabytes }) => hundredths(megabytes), right: true },
      { title: 'strategy', value: ({ strategy }) => strategy },
      { title: 'tokens before', value: ({ tokensBefore }) => tokensBefore, right: true },
      { title: 'after', value: ({ tokensAfter }) => tokensAfter, right: true },
      { title: 'ms', value: ({ cpuMs }) => tenths(cpuMs), right: true },
      { title: 'ms/MB', value: ({ msPerMegabyte }) => whole(msPerMegabyte), right: true },
      { title: '× of a MB', value: ({ growth }) => hundredths(growth), right: true },
      { title: 'head only, ms', value: ({ headMs }) => tenths(headMs), right: true },
      { title: 'memory, × text', value: ({ memory = Number.NaN }) => tenths(memory), right: true },
    ],
  )}`

const thousandths = (value: number): string => value.toFixed(3)

export function cache({ calls: rows, full }: CacheFigures): string {
  const figures = formatTable(rows, [
    { title: 'inside the engine, ms', value: ({ name }) => name },
    { title: 'hit p50', value: ({ hit }) => thousandths(hit.p50), right: true },
    { title: 'hit p99', value: ({ hit }) => thousandths(hit.p99), right: true },
    { title: 'uncached p50', value: ({ uncached }) => thousandths(uncached.p50), right: true },
    { title: 'uncached p99', value: ({ uncached }) => thousandths(uncached.p99), right: true },
    { title: '× faster', value: ({ hit, uncached }) => tenths(uncached.p50 / hit.p50), right: true },
  ])
  const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
  return `Calls that are answered from the cache, and the same ones that are not
${figures}
12,000 entries put in: at the most ${full.mostEntries} entries and ${megabytes(full.mostBytes)}, ${megabytes(full.fileBytes)} on disk; \
put p50 ${thousandths(full.put.p50)} p99 ${thousandths(full.put.p99)} ms, found p50 ${thousandths(full.find.p50)} p99 ${thousandths(full.find.p99)} ms`
}

export const retention = (figures: readonly RetentionFigures[]): string =>
  `Own cases: percent of what they ask for that is left, and processor milliseconds per million characters\n${formatTable(
    figures,
    [
      { title: 'kind', value: ({ kind }) => kind },
      { title: 'cases', value: ({ cases }) => cases, right: true },
      { title: 'tokens', value: ({ budget }) => budget, right: true },
      { title: 'Sluice', value: ({ sluice }) => tenths(sluice), right: true },
      { title: 'lines by BM25', value: ({ lines }) => tenths(lines), right: true },
      { title: 'head', value: ({ head }) => tenths(head), right: true },
      { title: 'over', value: ({ overBudget }) => overBudget, right: true },
      { title: 'Sluice ms', value: ({ sluiceMs }) => whole(sluiceMs), right: true },
      { title: 'BM25 ms', value: ({ linesMs }) => whole(linesMs), right: true },
      { title: 'head ms', value: ({ headMs }) => whole(headMs), right: true },
    ],
  )}`
