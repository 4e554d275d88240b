/**
 * Masks and restores 100,000 random texts and values, and hostile texts of a megabyte each, with every type: no
 * crash, change or time over the limit. `node test/bench/fuzz-masking.ts [COUNT]`
 */
import * as fc from '../helpers/properties.ts'
import { findInTexts } from '../../electron/engine/masking/find-in-texts.ts'
import { maskInValue, restoreInValue } from '../../electron/engine/masking/mask-in-value.ts'
import { countFromOne, Vault } from '../../electron/engine/masking/vault.ts'
import { PERSONAL_DATA_TYPES, type MaskingPolicy } from '../../shared/masking-policy.ts'
import { hostilePersonalData } from '../helpers/hostile-personal-data.ts'
import { jsonWithValues, textWithValues } from '../helpers/personal-values.ts'

const COUNT = Number(process.argv[2] ?? 100_000)
const SMALL_LIMIT_MS = 250
const MEGABYTE_LIMIT_MS = 5000

const policy: MaskingPolicy = { direction: 'from-model', types: PERSONAL_DATA_TYPES, customPatterns: {} }
let slowest = 0
let failures = 0

/** Processor time in ms, independent of other work on this machine. */
const worked = (): number => process.cpuUsage().user / 1000

async function attempt(what: string, limit: number, value: unknown): Promise<number> {
  const start = worked()
  try {
    const vault = new Vault(countFromOne())
    const masked = await maskInValue(value, vault, policy, async (input) => findInTexts(input))
    const restored = JSON.stringify(restoreInValue(masked, vault))
    if (restored !== JSON.stringify(value)) throw new Error('It came back changed.')
  } catch (error) {
    failures++
    process.stdout.write(`Failed on ${what}: ${String(error)}\n`)
  }
  const took = worked() - start
  slowest = Math.max(slowest, took)
  if (took > limit) {
    failures++
    process.stdout.write(`Too slow on ${what}: ${took.toFixed(0)} ms\n`)
  }
  return took
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  textWithValues.map(({ text }) => text),
)
const anyValue = fc.oneof(
  anyText,
  jsonWithValues.map(({ json }) => json),
  fc.jsonValue({ noUnicodeString: false }),
)
for (const value of fc.sample(anyValue, { numRuns: COUNT, seed: 1 }))
  await attempt(JSON.stringify(value).slice(0, 200), SMALL_LIMIT_MS, value)
process.stdout.write(`${COUNT} random inputs: slowest ${slowest.toFixed(1)} ms.\n`)
for (const [name, make] of hostilePersonalData(1_000_000))
  process.stdout.write(`1 MB of ${name}: ${(await attempt(name, MEGABYTE_LIMIT_MS, make())).toFixed(0)} ms\n`)
process.stdout.write(`${failures} failures\n`)
process.exitCode = failures === 0 ? 0 : 1
