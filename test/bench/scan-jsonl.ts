/** Stdin to stdout: the bulk form of `sluice scan`, to measure the detectors alone. */
import { bulkScan } from '../../electron/engine/guardrails/bulk-scan.ts'
import { createScanText } from '../../electron/engine/guardrails/scan-text.ts'
import { readGuardModels } from '../../electron/engine/guardrails/guard-models.ts'

const [command = 'scan', flag = '--jsonl'] = process.argv.slice(2)
if (command !== 'scan' || flag !== '--jsonl') {
  process.stderr.write('Usage: node test/bench/scan-jsonl.ts scan --jsonl < REQUESTS > ANSWERS\n')
  process.exitCode = 2
} else {
  await bulkScan(process.stdin, process.stdout, {
    scan: createScanText(readGuardModels()),
    now: () => performance.now(),
  })
}
