import { Command, InvalidArgumentError } from 'commander'
import { silentLogger } from '../engine/ground/logger.ts'
import { openSwitch } from '../engine/settings/switch.ts'
import type { CommandSetup } from './cli-context.ts'
import { localTime } from './local-time.ts'

interface PauseOptions {
  readonly compression: boolean
  readonly for?: number
}

const EXAMPLES = `
A running Sluice follows at once, and so do those that AI apps have started for themselves.

Examples:
  sluice pause                         clients reach their servers directly; only approvals apply
  sluice pause --compression --for 1h  results pass whole for an hour; everything else stays
  sluice resume`

export const pauseCommand = ({ context, common }: CommandSetup): Command =>
  new Command('pause')
    .description('Switch Sluice off for a while, or until `sluice resume`: only approvals apply then.')
    .option('--compression', 'only stop shortening results', false)
    .option('--for <time>', 'switch on again by itself, for instance after 30m, 1h or 2d', toMinutes)
    .addHelpText('after', EXAMPLES)
    .action(({ compression, for: minutes }: PauseOptions) => {
      const { dataDir } = common()
      const mainSwitch = openSwitch({ dataDir, now: context.now, logger: silentLogger, watch: false })
      const state = mainSwitch.set({
        what: compression ? 'compression' : 'everything',
        on: false,
        ...(minutes === undefined ? {} : { minutes }),
      })
      const until = compression ? state.compressionPausedUntil : state.offUntil
      const time = until === undefined ? 'until `sluice resume`' : `until ${localTime(until)}`
      context.stdout.write(
        compression
          ? `Results pass whole ${time}.\n`
          : `Sluice is off ${time}: nothing is shortened, guarded or masked, and tools are as their servers have them. Approvals apply.\n`,
      )
    })

export const resumeCommand = ({ context, common }: CommandSetup): Command =>
  new Command('resume').description('End what `sluice pause` began.').action(() => {
    const { dataDir } = common()
    const mainSwitch = openSwitch({ dataDir, now: context.now, logger: silentLogger, watch: false })
    mainSwitch.set({ what: 'compression', on: true })
    mainSwitch.set({ what: 'everything', on: true })
    context.stdout.write('Sluice is on.\n')
  })

const MINUTES = { m: 1, h: 60, d: 24 * 60 } as const

function toMinutes(text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)\s*(m|h|d)$/i.exec(text.trim()) ?? []
  const minutes = Number(count) * MINUTES[(unit ?? 'm').toLowerCase() as keyof typeof MINUTES]
  if (Number.isFinite(minutes) && minutes > 0 && minutes <= 366 * 24 * 60) return minutes
  throw new InvalidArgumentError('Write minutes, hours or days, at most a year: 30m, 1h, 2d.')
}
