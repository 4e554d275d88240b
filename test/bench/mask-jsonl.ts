/** Stdin to stdout: the bulk form of `sluice mask`, to measure the search alone. */
import { maskBulk } from '../../electron/engine/masking/bulk-mask.ts'
import { DEFAULT_PERSONAL_DATA_TYPES, PERSONAL_DATA_TYPES } from '../../shared/masking-policy.ts'

const args = process.argv.slice(2)
const wanted = args.includes('--types') ? (args[args.indexOf('--types') + 1] ?? '') : 'default'
const types =
  wanted === 'all'
    ? PERSONAL_DATA_TYPES
    : wanted === 'default'
      ? DEFAULT_PERSONAL_DATA_TYPES
      : PERSONAL_DATA_TYPES.filter((type) => wanted.split(',').includes(type))

if (args[0] !== 'mask' || !args.includes('--jsonl')) {
  process.stderr.write(
    'Usage: node test/bench/mask-jsonl.ts mask --jsonl [--types all|TYPE,…] < REQUESTS > ANSWERS\n',
  )
  process.exitCode = 2
} else {
  await maskBulk(process.stdin, process.stdout, { types, now: () => performance.now() })
}
