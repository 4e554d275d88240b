/**
 * Compresses 50,000 mutated inputs of every kind: never over the budget or larger than the input, no crash, none over
 * ten times the usual processor time for its size. `node test/bench/fuzz-compression.ts [COUNT] [SEED]`
 */
import { loadCompressor } from '../../electron/engine/compression/load-compressor.ts'
import { fuzzCompression } from '../helpers/fuzz-compression.ts'

const COUNT = Number(process.argv[2] ?? 50_000)
const SEED = Number(process.argv[3] ?? 1)

const compress = await loadCompressor()
const { faults, inputs, slowest } = fuzzCompression(compress, COUNT, SEED)
for (const fault of faults.slice(0, 50)) process.stdout.write(`${fault}\n`)
process.stdout.write(
  `${inputs} inputs: ${faults.length} faults, the slowest took ${slowest.ratio.toFixed(1)} times what is usual (${slowest.what})\n`,
)
process.exitCode = faults.length === 0 ? 0 : 1
