/** `node test/bench/measure-depth.ts`: the cost of a message's depth check, relative to serialising it as JSON. */
import { checkDepth } from '../../electron/engine/protocol/too-deep.ts'

const messages: Readonly<Record<string, unknown>> = {
  '200,000 text blocks': Array.from({ length: 200_000 }, (_, n) => ({ type: 'text', text: `x${n}` })),
  '400,000 rows': Array.from({ length: 400_000 }, (_, id) => ({ id, n: 1 })),
  '500,000 numbers': Array.from({ length: 500_000 }, (_, n) => n),
}
const ROUNDS = 9

/** Processor time in ms, median of several runs. */
function processorTime(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
}

for (const [name, message] of Object.entries(messages)) {
  const looked = processorTime(() => checkDepth(message))
  const written = processorTime(() => JSON.stringify(message))
  console.log(
    `${name}: ${looked.toFixed(1)} ms of ${written.toFixed(1)} ms, ${(looked / written).toFixed(2)}`,
  )
}
