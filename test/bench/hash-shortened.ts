/**
 * One hash over the shortened bytes of all cases of a folder, with and without goal, at 500, 1,000 and 2,000 tokens:
 * shows whether a source change altered any result. `node test/bench/hash-shortened.ts FOLDER`, which holds
 * `*.jsonl.gz` files at any depth; lines without `document`, `text`, `html` or `log` are ignored.
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { loadCompressor } from '../../electron/engine/compression/load-compressor.ts'

const BUDGETS = [500, 1000, 2000]
const TEXTS = ['document', 'text', 'html', 'log']

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder of the cases.')
const compress = await loadCompressor()
const hash = createHash('sha256')
let cases = 0
for (const file of globSync('**/*.jsonl.gz', { cwd: folder }).toSorted()) {
  for (const line of gunzipSync(readFileSync(join(folder, file)))
    .toString()
    .split('\n')) {
    const record = line === '' ? {} : (JSON.parse(line) as Record<string, unknown>)
    const text = TEXTS.map((name) => record[name]).find((value) => typeof value === 'string')
    if (typeof text !== 'string') continue
    const goal = typeof record['goal'] === 'string' ? record['goal'] : undefined
    for (const budget of BUDGETS)
      for (const wanted of goal === undefined ? [undefined] : [undefined, goal])
        hash.update(compress({ text, budget, goal: wanted }).text).update('\0')
    cases++
  }
}
process.stdout.write(`${cases} cases: ${hash.digest('hex')}\n`)
