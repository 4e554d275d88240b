import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { agentApps, runAgentApp, type AgentApp } from '../helpers/agent-apps.ts'
import { buildLog } from '../helpers/build-log.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { playModel } from '../helpers/play-model.ts'
import { runCli } from '../helpers/run-cli.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { quantile } from './quantile.ts'

// Released agents with and without hooks: what reaches the model, and when.
//   SLUICE_CODEX=… node test/bench/measure-apps.ts [--outputs 12] [--lines 260]

const { values } = parseArgs({
  options: { outputs: { type: 'string', default: '12' }, lines: { type: 'string', default: '260' } },
})
const ends: (() => Promise<void> | void)[] = []
const whenDone = (end: () => Promise<void> | void): void => void ends.push(end)
const outputs = Number(values.outputs)

interface Run {
  readonly waits: readonly number[]
  readonly shown: readonly string[]
}

const isShort = (shown: string): boolean => shown.includes('[Compressed: ')
const times = (ms: readonly number[]): string =>
  `p50 ${quantile(ms, 0.5).toFixed(0)}, p95 ${quantile(ms, 0.95).toFixed(0)} ms`

async function measure(app: AgentApp, program: string): Promise<void> {
  const home = temporaryFolder(whenDone)
  const dataDir = writeConfig(join(home, 'data'), {})
  const env = { HOME: home, XDG_CONFIG_HOME: '', CODEX_HOME: '', COPILOT_HOME: '', CLAUDE_CONFIG_DIR: '' }
  const engine = await startEngine(dataDir, { ...process.env, ...env })
  whenDone(() => void engine.stop())
  writeConfig(dataDir, {}, { http: { port: Number(new URL(engine.url).port) } })
  const folder = join(home, 'work')
  mkdirSync(folder)
  const commands = Array.from({ length: outputs }, (_, index) => {
    writeFileSync(join(folder, `${index}.log`), buildLog(Number(values.lines) + index))
    return `cat ${index}.log; echo build ${index}`
  })
  const model = await playModel(commands, whenDone)
  const own = app.prepare(home, { url: model.url, dataDir })
  const run = async (): Promise<Run> => {
    model.begin()
    await runAgentApp(app, { program, home, folder, env: own }, whenDone)
    return { waits: model.waits(), shown: model.results() }
  }
  const without = await run()
  const wrap = ['--data-dir', dataDir, 'wrap', app.id, '--built-in', '--yes']
  const { code, stderr } = await runCli(wrap, { env })
  if (code !== 0) throw new Error(stderr)
  const withHooks = await run()
  await engine.stop()
  const length = ({ shown }: Run): number => shown.join('').length
  const added = [0.5, 0.95].map((share) =>
    (quantile(withHooks.waits, share) - quantile(without.waits, share)).toFixed(0),
  )
  console.log(
    [
      `${app.id}: ${withHooks.shown.filter(isShort).length} of ${outputs} shortened (${withHooks.shown.map((one) => (isShort(one) ? '+' : '-')).join('')})`,
      `  characters ${length(without)} -> ${length(withHooks)}`,
      `  from call to result: without ${times(without.waits)}; with ${times(withHooks.waits)}; added p50 ${added.join(', p95 ')} ms`,
      `  with, each: ${withHooks.waits.map((ms) => ms.toFixed(0)).join(' ')}`,
    ].join('\n'),
  )
}

try {
  for (const app of agentApps) {
    const program = process.env[app.variable]
    if (program === undefined) console.log(`${app.id}: name its program in ${app.variable} (${app.from})`)
    else await measure(app, program)
  }
} finally {
  for (const end of ends.toReversed()) await end()
}
