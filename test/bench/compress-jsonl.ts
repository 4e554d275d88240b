/** Stdin to stdout: the bulk form of `sluice compress`, to measure the compressor alone. */
import { compressBulk } from '../../electron/engine/compression/bulk.ts'
import { loadCompressor } from '../../electron/engine/compression/load-compressor.ts'

const [command = 'compress', flag = '--jsonl'] = process.argv.slice(2)
if (command !== 'compress' || flag !== '--jsonl') {
  process.stderr.write('Usage: node test/bench/compress-jsonl.ts compress --jsonl < REQUESTS > ANSWERS\n')
  process.exitCode = 2
} else {
  const compress = await loadCompressor()
  await compressBulk(process.stdin, process.stdout, { compress, now: () => performance.now() })
}
