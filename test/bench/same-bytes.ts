/**
 * The same inputs 1,000 times, in different orders and from several threads: always the same bytes. `node
 * test/bench/same-bytes.ts [ROUNDS]`
 */
import { loadCompressor } from '../../electron/engine/compression/load-compressor.ts'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import { WorkerPool } from '../../electron/engine/work/worker-pool.ts'
import { readOwnCases } from '../helpers/own-cases.ts'

const ROUNDS = Number(process.argv[2] ?? 1000)
const THREADS = 3

const compress = await loadCompressor()
const inputs = [...Map.groupBy(readOwnCases(), ({ kind }) => kind).values()].flatMap((cases) =>
  cases.slice(0, 2).map(({ text, goal }) => ({ text: text.slice(0, 12_000), goal, budget: 250 })),
)
const expected = inputs.map((input) => compress(input).text)
let differences = 0

for (let round = 0; round < ROUNDS; round++) {
  const order = inputs
    .map((_, i) => i)
    .sort((a, b) => ((a * 7 + round) % 13) - ((b * 7 + round) % 13) || a - b)
  for (const i of order) {
    const input = inputs[i]
    if (input && compress(input).text !== expected[i]) differences++
  }
}
const pool = new WorkerPool({ logger: silentLogger, size: THREADS })
for (let round = 0; round < ROUNDS / 20; round++) {
  const answers = await Promise.all(inputs.map((input) => pool.run('compress', input)))
  answers.forEach(({ text }, i) => {
    if (text !== expected[i]) differences++
  })
}
await pool.close()
process.stdout.write(`${inputs.length} inputs, ${ROUNDS} rounds: ${differences} differences\n`)
process.exitCode = differences === 0 ? 0 : 1
