/**
 * `npm run mutants [-- --only ID-OR-AREA …] [-- --check] [-- --no-baseline]`: plants realistic faults one at a time
 * in copies of the sources and runs the tests that should notice them. Exits with 0 if all were noticed. `--check`
 * only checks that each can be planted; `--no-baseline` skips the run without a fault.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { copyOfTree } from './copy-of-tree.ts'
import { readFaults, whyNotPlantable, type ListedFault } from './lists.ts'
import { tryFault, whyBroken, type Outcome } from './try-fault.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    check: { type: 'boolean', default: false },
    'no-baseline': { type: 'boolean', default: false },
  },
})

const all = await readFaults()
const isAsked = ({ id, area }: ListedFault): boolean =>
  values.only.length === 0 || values.only.includes(id) || values.only.includes(area)
const faults = all.filter(isAsked)
const unknown = values.only.filter((name) => !all.some(({ id, area }) => id === name || area === name))
if (unknown.length > 0) {
  console.error(`No planted fault or list is called ${unknown.join(', ')}: see test/mutants/faults/.`)
  process.exit(2)
}

if (values.check) {
  const problems = faults.flatMap((fault) => {
    const problem = whyNotPlantable(fault)
    return problem === undefined ? [] : [`${fault.area}/${fault.id}: ${problem}`]
  })
  for (const line of problems) console.log(line)
  console.log(`${faults.length - problems.length} of ${faults.length} can be planted`)
  process.exit(problems.length === 0 ? 0 : 1)
}

const copies = Array.from(
  { length: Math.min(2, availableParallelism(), Math.max(1, faults.length)) },
  copyOfTree,
)
const outcomes: Outcome[] = []
const stop = new AbortController()
process.on('SIGINT', () => stop.abort())
try {
  if (!values['no-baseline'] && copies[0]) {
    const tests = [...new Set(faults.flatMap((fault) => fault.tests))].sort()
    console.log(`${faults.length} faults; first ${tests.length} test files without a fault`)
    const broken = await whyBroken(copies[0].folder, tests)
    if (broken !== undefined) {
      console.error(`The tests do not pass without a fault: ${broken} Mend them first.`)
      process.exitCode = 1
      faults.length = 0
    }
  }
  const waiting = [...faults]
  await Promise.all(
    copies.map(async ({ folder }) => {
      for (let fault = waiting.shift(); fault && !stop.signal.aborted; fault = waiting.shift()) {
        const outcome = await tryFault(folder, fault)
        outcomes.push(outcome)
        console.log(`${outcome.verdict.padEnd(13)} ${fault.area}/${fault.id}: ${outcome.detail}`)
      }
    }),
  )
} finally {
  for (const copy of copies) copy.remove()
}
const missed = outcomes.filter(({ verdict }) => verdict !== 'noticed')
for (const { fault, verdict } of missed) console.log(`${verdict}: ${fault.area}/${fault.id}: ${fault.what}`)
console.log(`${outcomes.length - missed.length} of ${outcomes.length} planted faults noticed`)
if (missed.length > 0 || stop.signal.aborted) process.exitCode = 1
