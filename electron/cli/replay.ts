import { accessSync, constants, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, extname, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import type { ReplayReport } from '../../shared/api/replay.ts'
import type { CommandSetup } from './cli-context.ts'
import { widthOf } from './format-table.ts'
import { ExitCode } from './exit-code.ts'
import { unwritableFile } from './unwritable-file.ts'

interface ReplayCommandOptions {
  readonly days: number
  readonly app: readonly string[]
  readonly project?: string
  readonly compare: boolean
  readonly json: boolean
  readonly report?: string
}

const HELP = `
Reads the sessions that AI apps keep on this machine: Claude Code, Codex, Gemini CLI, opencode, Copilot CLI, Qwen Code.
Each result of a tool goes through today's settings. What it cost and would have cost follows from the counts of the
provider in the session, its cache rules and list prices. Nothing leaves this machine, and nothing is written but the
report. How it counts, and what it can't know: docs/replay.md.

Examples:
  sluice replay
  sluice replay --days 7 --app claude-code --app codex
  sluice replay --project shop --report replay.md`

export const replayCommand = ({ context, common, end }: CommandSetup): Command =>
  new Command('replay')
    .description('What shortening would have saved, and lost, in the sessions of your AI apps.')
    .option('--days <number>', 'sessions that changed in the last days', toDays, 30)
    .option('--app <name>', 'only this app; may be given several times', collect, [])
    .option('--project <text>', 'only sessions in folders whose path has this text')
    .option('--compare', 'also what simple ways to shorten make of the same results', false)
    .option('--json', 'print the report as one JSON object', false)
    .option('--report <file>', 'also write it to a file: Markdown, or JSON where the name ends in .json')
    .addHelpText('after', HELP)
    .action(async ({ days, app, project, compare, json, report: file }: ReplayCommandOptions) => {
      const { dataDir } = common()
      const path = file === undefined ? undefined : writablePath(context.cwd, file)
      const { appNamed } = await import('../engine/replay/create-replay.ts')
      const apps = app.length === 0 ? undefined : app.map(appNamed)
      const { openReplay } = await import('./replay/open-replay.ts')
      const { showProgress } = await import('./replay/show-progress.ts')
      const threads = Math.max(1, availableParallelism())
      await using replay = await openReplay(context, dataDir, threads)
      const stop = new AbortController()
      const onInterrupt = (): void => stop.abort()
      for (const signal of ['SIGINT', 'SIGTERM']) context.signals.on(signal, onInterrupt)
      const progress = showProgress(context.stderr)
      let report: ReplayReport
      try {
        report = await replay.run({
          days,
          apps,
          project,
          compare,
          signal: stop.signal,
          onProgress: (now) => progress.show(now),
        })
      } catch (error) {
        if (!stop.signal.aborted) throw error
        progress.end()
        context.stderr.write('Stopped. Nothing was written.\n')
        return end(ExitCode.interrupted)
      } finally {
        progress.end()
        for (const signal of ['SIGINT', 'SIGTERM']) context.signals.off(signal, onInterrupt)
      }
      const { describeReplay } = await import('./replay/describe-replay.ts')
      const asJson = (): string => `${JSON.stringify(report, null, 2)}\n`
      context.stdout.write(json ? asJson() : describeReplay(report, 'text', widthOf(context.stdout)))
      if (path === undefined) return
      const { writeFileAtomically } = await import('../engine/ground/files/write-file-atomically.ts')
      try {
        writeFileAtomically(path, extname(path) === '.json' ? asJson() : describeReplay(report, 'markdown'))
      } catch (error) {
        throw unwritableFile(path, error)
      }
      context.stderr.write(`Wrote ${path}. It names your folders and tools, and no text of a session.\n`)
    })

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]

/** Rejects a place that can't be written before the sessions are read, which can take minutes. */
function writablePath(cwd: string, file: string): string {
  const path = resolve(cwd, file)
  try {
    accessSync(dirname(path), constants.W_OK)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error('It is a folder.')
  } catch (error) {
    throw unwritableFile(path, error)
  }
  return path
}

const MOST_DAYS = 3650

function toDays(value: string): number {
  const days = Number(value)
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
    throw new InvalidArgumentError(`Write a whole number from 1 to ${MOST_DAYS}.`)
  return days
}
