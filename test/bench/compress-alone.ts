/**
 * `node test/bench/compress-alone.ts KIND BYTES`: shortens one sample text to 1,000 tokens in its own process, to
 * measure its memory alone. Prints a line of JSON.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isStringOneByteRepresentation, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadCompressor } from '../../electron/engine/compression/load-compressor.ts'
import type { AloneFigures } from './measure-compression.ts'
import { quantile } from './quantile.ts'
import { sampleTexts } from './sample-texts.ts'

const BUDGET = 1000
/** 10 kB take a millisecond or two, so one run says little. */
const LEAST_MS = 60
const MOST_RUNS = 50
const WARM_UP = 200_000

const [kind = '', size = ''] = process.argv.slice(2)
const sample = sampleTexts.find((candidate) => candidate.kind === kind)
if (!sample) throw new Error(`There is no sample text of the kind ${kind}.`)
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const compress = await loadCompressor()
for (const text of [WARM_UP, WARM_UP].map((bytes) => sample.make(bytes))) compress({ text, budget: BUDGET })
// In one piece, as from a server, not V8's rope of repeated texts.
const text = Buffer.from(sample.make(Number(size))).toString()
const bytes = Buffer.byteLength(text)
collectGarbage()

const isLinux = process.platform === 'linux'
const status = (name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024
// Resets the kernel's high-water mark.
if (isLinux) writeFileSync('/proc/self/clear_refs', '5')
const before = isLinux ? status('VmRSS') : 0
const done = compress({ text, budget: BUDGET })
const more = isLinux ? Math.max(0, status('VmHWM') - before) : undefined

const times: number[] = []
for (let spent = 0; times.length === 0 || (spent < LEAST_MS && times.length < MOST_RUNS);) {
  const from = process.cpuUsage()
  compress({ text, budget: BUDGET })
  const { user, system } = process.cpuUsage(from)
  times.push((user + system) / 1000)
  spent += (user + system) / 1000
}
const timed = (work: () => unknown): number => {
  const from = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}
const figures: AloneFigures = {
  bytes,
  bytesInMemory: text.length * (isStringOneByteRepresentation(text) ? 1 : 2),
  strategy: done.strategy,
  tokensBefore: done.tokensBefore,
  tokensAfter: done.tokensAfter,
  cpuMs: quantile(times, 0.5),
  headMs: timed(() => compress({ text, budget: BUDGET, strategy: 'preview' })),
  moreBytes: more,
}
console.log(JSON.stringify(figures))
