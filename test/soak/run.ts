/**
 * `npm run soak [-- --seconds 1800] [-- --seed N] [-- --json]`: ten servers and five clients of three kinds for half
 * an hour, while processes are killed and stalled, the configuration is edited and the disk fills up. Exits with 0 if
 * no call was lost, no process is left, and memory and file handles stayed level; --json prints one line of JSON to
 * stdout.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { canMountSmallDisks, smallDisk } from '../helpers/small-disk.ts'
import { describeReport } from './describe-report.ts'
import { runSoak } from './run-soak.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '1800' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
if (process.platform !== 'linux') throw new Error('The soak reads /proc, so it runs on Linux only.')
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
const disk = canMountSmallDisks()
if (!disk) console.error('Skipped: only a superuser can mount the small disk that is filled.')
const ends: (() => void)[] = []
const folder = disk ? smallDisk('128m', (end) => ends.push(end)) : mkdtempSync(join(tmpdir(), 'sluice-soak-'))
if (!disk) ends.push(() => rmSync(folder, { recursive: true, force: true }))
console.error(`Seed ${seed}, ${values.seconds} s. To draw the same again: npm run soak -- --seed ${seed}`)
try {
  const report = await runSoak({
    seconds: Number(values.seconds),
    seed,
    folder,
    disk,
    say: (line) => console.error(line),
  })
  console.log(values.json ? JSON.stringify(report) : describeReport(report))
  process.exitCode = report.faults.length === 0 ? 0 : 1
} finally {
  for (const end of ends) end()
}
