/**
 * `node test/bench/replay/measure-replay.ts [--megabytes N] [--home FOLDER]`: other ways to shorten beside Sluice's, on
 * the same made sessions. With `--speed` instead `sluice replay` over them: time, processor time and the most memory of
 * the process (Linux).
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeReplay } from '../../../electron/cli/replay/describe-replay.ts'
import { compressText } from '../../../electron/engine/compression/compress-text.ts'
import { goalOfPrompts } from '../../../electron/engine/goals/goal-of-prompts.ts'
import { isExact } from '../../../electron/engine/hooks/untouched.ts'
import { createPrices } from '../../../electron/engine/prices/create-prices.ts'
import { headAndTail, randomLines } from '../../../electron/engine/replay/control-shorteners.ts'
import { ratesOfPrices } from '../../../electron/engine/replay/rates-of-prices.ts'
import { ownShortener } from '../../../electron/engine/replay/replay-job.ts'
import { replaySource } from '../../../electron/engine/replay/replay-source.ts'
import { ReplayTally } from '../../../electron/engine/replay/replay-tally.ts'
import { treatmentsOf } from '../../../electron/engine/replay/treatment-then.ts'
import { parseSettings } from '../../../electron/engine/settings/parse-settings.ts'
import { detectKind } from '../../../electron/engine/text/kinds/detect-kind.ts'
import { measureTokens } from '../../../electron/engine/text/tokens/measure-tokens.ts'
import { findTranscripts } from '../../../electron/engine/transcripts/find-transcripts.ts'
import { readTranscript } from '../../../electron/engine/transcripts/read-transcript.ts'
import { TRANSCRIPT_APPS } from '../../../electron/engine/transcripts/transcript.ts'
import { generateTranscripts } from './generate-transcripts.ts'
import { headroomRules, lineBm25, rtkRules, truncation } from './rival-rules.ts'

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '10' },
    home: { type: 'string' },
    speed: { type: 'boolean', default: false },
  },
})
const MB = 1e6
const home = values.home ?? mkdtempSync(join(tmpdir(), 'sluice-replay-'))
try {
  if (values.home === undefined) {
    const { bytes, sessions } = generateTranscripts(home, Number(values.megabytes) * MB)
    console.log(`${sessions} made sessions, ${(bytes / MB).toFixed(1)} MB.`)
  }
  if (values.speed) await measureSpeed()
  else compareStrategies()
} finally {
  if (values.home === undefined) rmSync(home, { recursive: true, force: true })
}

function compareStrategies(): void {
  const strategies = [
    ownShortener(compressText),
    headAndTail,
    randomLines,
    truncation,
    lineBm25,
    rtkRules,
    headroomRules,
  ]
  const now = Date.now()
  const prices = createPrices({ dataDir: home, now: () => now, logger: { warn: () => {} } }).table()
  const settings = parseSettings('{}').bare
  const tally = new ReplayTally({ from: 0, to: now, strategies: strategies.map(({ name }) => name) })
  const machine = { env: {}, homeDir: home, platform: process.platform }
  for (const source of findTranscripts({ ...machine, apps: TRANSCRIPT_APPS, since: 0 }).sources) {
    const replayed = replaySource(source, readTranscript(source), {
      treatmentOf: treatmentsOf(settings, isExact),
      strategies,
      tokensOf: measureTokens,
      kindOf: (text) => detectKind(text),
      ratesOf: ratesOfPrices(prices),
      requestOf: (prompts, words) => goalOfPrompts({ prompts, words }),
      listedTokens: 0,
      isListed: () => false,
    })
    tally.add(source, replayed, (call) => call)
  }
  console.log(describeReplay(tally.report(), 'text'))
}

async function measureSpeed(): Promise<void> {
  const cli = join(import.meta.dirname, '../../../electron/cli.ts')
  const start = performance.now()
  const child = spawn(process.execPath, [cli, '--data-dir', join(home, 'data'), 'replay', '--days', '3650'], {
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  let [peak, ticks] = [0, 0]
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
      const [, , , , , , , , , , , user, system] =
        readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      ticks = Number(user) + Number(system)
    } catch {
      // It has ended.
    }
  }, 250)
  await new Promise((resolve) => child.on('close', resolve))
  clearInterval(timer)
  const seconds = (performance.now() - start) / 1000
  console.log(out)
  console.log(
    `${seconds.toFixed(1)} s, ${(ticks / 100).toFixed(1)} s of processor time on ${availableParallelism()} cores, ${(peak / 1024).toFixed(0)} MB at most.`,
  )
}
