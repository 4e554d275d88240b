/**
 * Runs 100,000 random and hostile inputs through the detectors and the cleaning of control characters: no crash, no
 * processor time over the limit. `node test/bench/fuzz-guardrails.ts [COUNT]`
 */
import * as fc from '../helpers/properties.ts'
import { cleanValue } from '../../electron/engine/guardrails/clean-value.ts'
import { cleanText } from '../../electron/engine/guardrails/control-characters.ts'
import { createBuiltInDetectors, createScanText } from '../../electron/engine/guardrails/scan-text.ts'
import { readGuardModels } from '../../electron/engine/guardrails/guard-models.ts'
import { guardrailInputs } from '../helpers/guardrail-inputs.ts'
import { hostileTexts } from '../helpers/hostile-texts.ts'

const COUNT = Number(process.argv[2] ?? 100_000)
const SMALL_LIMIT_MS = 250
const MEGABYTE_LIMIT_MS = 5000

const model = readGuardModels()
const scan = createScanText(model)
const detectors = createBuiltInDetectors(model)

let slowest = 0
let failures = 0

function attempt(what: string, limit: number, act: () => void): void {
  const start = process.cpuUsage()
  try {
    act()
  } catch (error) {
    failures++
    process.stdout.write(`Crashed on ${what}: ${String(error)}\n`)
  }
  const took = process.cpuUsage(start).user / 1000
  slowest = Math.max(slowest, took)
  if (took <= limit) return
  failures++
  process.stdout.write(`Too slow on ${what}: ${took.toFixed(0)} ms\n`)
}

function readText(text: string): void {
  scan(text)
  cleanText(text, 'strip')
  cleanText(text, 'visualise')
}

for (const text of fc.sample(guardrailInputs.text, { numRuns: COUNT * 0.7, seed: 1 }))
  attempt(JSON.stringify(text.slice(0, 200)), SMALL_LIMIT_MS, () => readText(text))
for (const value of fc.sample(guardrailInputs.value, { numRuns: COUNT * 0.3, seed: 2 })) {
  attempt('a value', SMALL_LIMIT_MS, () => {
    for (const detector of detectors) detector.scanDefinition({ type: 'tool', name: 'x', value })
    cleanValue(value, 'strip')
  })
}
process.stdout.write(`${COUNT} random inputs: slowest ${slowest.toFixed(1)} ms.\n`)
for (const [name, make] of hostileTexts(1_000_000)) {
  const text = make()
  slowest = 0
  attempt(name, MEGABYTE_LIMIT_MS, () => readText(text))
  process.stdout.write(`1 MB of ${name}: ${slowest.toFixed(0)} ms\n`)
}
process.stdout.write(`${failures} failures\n`)
process.exitCode = failures === 0 ? 0 : 1
