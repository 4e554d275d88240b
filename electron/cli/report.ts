import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { SluiceError } from '../engine/ground/errors.ts'
import type { TimeRange } from '../../shared/api/savings.ts'
import type { CommandSetup } from './cli-context.ts'
import { startOfDay, WEEK_DAYS } from './days.ts'
import { readSavings } from './read-savings.ts'
import { unwritableFile } from './unwritable-file.ts'

interface ReportOptions {
  readonly week: boolean
  readonly from?: string
  readonly to?: string
  readonly html?: string
  readonly markdown?: string
}

export const reportCommand = ({ context, common }: CommandSetup): Command =>
  new Command('report')
    .description('Write what was saved as one page to print or to send, with all sums in the open.')
    .addOption(
      new Option('--week', `the last ${WEEK_DAYS} days, as sluice stats has them (default)`)
        .default(false)
        .conflicts(['from', 'to']),
    )
    .option('--from <day>', 'first day, such as 2026-11-01')
    .option('--to <day>', 'last day, such as 2026-11-30; default: today')
    .option('--html <file>', 'write a page for screens and paper, without scripts')
    .option('--markdown <file>', 'write Markdown; without either it is printed')
    .addHelpText(
      'after',
      '\nIt names clients, servers, tools and folders, and has nothing of what they said.\n\nExamples:\n  sluice report\n  sluice report --html week.html\n  sluice report --from 2026-11-01 --to 2026-11-30 --markdown november.md',
    )
    .action(async (options: ReportOptions) => {
      const { createReport } = await import('../engine/ledger/create-report.ts')
      const range = rangeOf(options, context.now())
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      await readSavings(context, common(), async ({ ledger, report }) => {
        const files = await createReport({ ledger, report }, { range, timeZone, forms: ['html', 'markdown'] })
        if (options.html === undefined && options.markdown === undefined)
          context.stdout.write(files.markdown?.text ?? '')
        const { writeFile } = await import('node:fs/promises')
        for (const form of ['html', 'markdown'] as const) {
          const name = options[form]
          if (name === undefined) continue
          const path = resolve(context.cwd, name)
          await writeFile(path, files[form]?.text ?? '').catch((error: unknown) => {
            throw unwritableFile(path, error)
          })
          context.stderr.write(`Wrote ${path}.\n`)
        }
      })
    })

function rangeOf({ from, to }: ReportOptions, now: number): TimeRange {
  if (from === undefined && to === undefined) return { from: startOfDay(now, WEEK_DAYS - 1), to: now + 1 }
  if (from === undefined) throw new SluiceError('BAD_INPUT', '--to needs --from: name the first day, too.')
  const first = dayOf('--from', from)
  const last = to === undefined ? startOfDay(now, 0) : dayOf('--to', to)
  if (last < first) throw new SluiceError('BAD_INPUT', `--to ${to ?? 'today'} is before --from ${from}.`)
  return { from: first, to: startOfDay(last, -1) }
}

/** Local. */
function dayOf(option: string, text: string): number {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  const at = new Date(Number(year), Number(month) - 1, Number(day))
  // A 31 of June would be the 1 of July.
  if (day !== undefined && at.getDate() === Number(day) && at.getMonth() === Number(month) - 1)
    return at.getTime()
  throw new SluiceError('BAD_INPUT', `${option} "${text}" isn't a day. Write one such as 2026-11-25.`)
}
