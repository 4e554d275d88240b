/**
 * Runs 100,000 random and hostile inputs (invalid UTF-16, deep nesting, `__proto__`, long lines, slow cases for
 * regular expressions) through the detectors, definition diffs, masking and canonical JSON: no crash, wrong answer or
 * time over the limit. `node test/bench/fuzz-guards.ts [COUNT]`
 */
import { fuzzGuards, fuzzLongTexts } from '../helpers/fuzz-guards.ts'

const count = Number(process.argv[2] ?? 100_000)
let failures = 0

const small = await fuzzGuards(count, 1)
for (const [guard, { slowestMs, failures: failed }] of Object.entries(small)) {
  process.stdout.write(
    `${guard}: ${count} inputs, slowest ${slowestMs.toFixed(0)} ms, ${failed.length} failures\n`,
  )
  for (const each of failed.slice(0, 10)) process.stdout.write(`  ${each}\n`)
  failures += failed.length
}
for (const [name, { slowestMs, failures: failed }] of Object.entries(await fuzzLongTexts(1_000_000))) {
  process.stdout.write(`1 MB of ${name}: slowest guard ${slowestMs.toFixed(0)} ms\n`)
  for (const each of failed) process.stdout.write(`  ${each}\n`)
  failures += failed.length
}
process.exitCode = failures === 0 ? 0 : 1
