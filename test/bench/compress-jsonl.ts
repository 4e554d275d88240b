/** Stdin to stdout: the bulk form of `sluice compress`, for measuring the compressor without the rest of the program. */
import { compressBulk } from '../../electron/engine/compression/bulk.ts'
import { compressText } from '../../electron/engine/compression/compress-text.ts'
import { prepareStrategies } from '../../electron/engine/compression/code/grammars.ts'

const [command = 'compress', flag = '--jsonl'] = process.argv.slice(2)
if (command !== 'compress' || flag !== '--jsonl') {
  process.stderr.write('Usage: node test/bench/compress-jsonl.ts compress --jsonl < REQUESTS > ANSWERS\n')
  process.exitCode = 2
} else {
  await prepareStrategies()
  await compressBulk(process.stdin, process.stdout, { compress: compressText, now: () => performance.now() })
}
