/**
 * `npm run bench [-- --json] [-- --sources] [-- --only
 * start|calls|latency|load|large|shortened|neighbours|turns|lists|memory|page|compression|retention|cache]`: cold start,
 * added latency of small calls and of results by size, 64 clients at once for a minute (`--seconds N`), large results unchanged and
 * shortened, calls beside expensive ones (`--beside WORDS`: only such), the main thread's longest turns, lists of ten
 * servers, memory with ten servers, the live screens under load, compression time, answers kept in the own cases
 * compared with truncation and best lines, and cached calls. Figures, no verdicts: speed is never part of a test.
 * Compare ratios within one run; times depend on the machine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { testServer } from '../helpers/upstream.ts'
import * as describe from './describe-figures.ts'
import { measureCache } from './measure-cache.ts'
import { measureCalls } from './measure-calls.ts'
import { measureCompression } from './measure-compression.ts'
import { measureLarge } from './measure-large.ts'
import { measureShortened } from './measure-shortened.ts'
import { measureLists } from './measure-lists.ts'
import { measureLatency } from './measure-latency.ts'
import { measureLoad } from './measure-load.ts'
import { measureMemory } from './measure-memory.ts'
import { measureNeighbours } from './measure-neighbours.ts'
import { measurePage } from './measure-page.ts'
import { measureRetention } from './measure-retention.ts'
import { measureStart } from './measure-start.ts'
import { measureTurns } from './measure-turns.ts'
import { programToMeasure } from './program.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    sources: { type: 'boolean', default: false },
    only: { type: 'string' },
    beside: { type: 'string', default: '' },
    seconds: { type: 'string', default: '60' },
  },
})
const program = programToMeasure(values.sources)
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
const server = testServer('big-result')
const slow = testServer('big-result', '--list-delay', '50')

const machine = {
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  processor: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  /** Load average of the last minute. */
  load: loadavg()[0] ?? 0,
  program: program.name,
}
if (!values.json) console.log(describe.machine(machine))

const figures: Record<string, unknown> = { machine }

/** Measures a requested part and prints its result at once. */
async function part<Figures>(
  name: string,
  measure: () => Promise<Figures>,
  inWords: (figures: NonNullable<Figures>) => string,
): Promise<void> {
  if (values.only !== undefined && values.only !== name) return
  const measured = await measure()
  figures[name] = measured
  if (!values.json && measured) console.log(`\n${inWords(measured)}`)
}

const at = (name: string): string => join(folder, name)
try {
  await part('start', () => measureStart(at('start'), server, { program }), describe.start)
  await part('calls', () => measureCalls(at('calls'), server, { program }), describe.calls)
  await part('latency', () => measureLatency(at('latency'), server, { program }), describe.latency)
  const seconds = Number(values.seconds)
  await part('load', () => measureLoad(at('load'), server, { program, seconds }), describe.load)
  await part('large', () => measureLarge(at('large'), server, { program }), describe.large)
  await part('shortened', () => measureShortened(at('shortened'), server, { program }), describe.shortened)
  await part(
    'neighbours',
    () => measureNeighbours(at('neighbours'), { program, beside: values.beside }),
    describe.neighbours,
  )
  await part('turns', () => measureTurns(at('turns'), { program, beside: values.beside }), describe.turns)
  await part('lists', () => measureLists(at('lists'), { server, slow }, { program }), describe.lists)
  await part('memory', () => measureMemory(at('memory'), server, { program }), describe.memory)
  await part('page', () => measurePage(at('page'), server, { program }), describe.page)
  await part('compression', () => measureCompression(), describe.compression)
  await part('cache', () => measureCache(at('cache'), server), describe.cache)
  await part('retention', () => measureRetention(), describe.retention)
  if (values.json) console.log(JSON.stringify(figures, undefined, 2))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
