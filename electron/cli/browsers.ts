import { Command } from 'commander'
import { createAdmittedBrowsers, type AdmittedBrowsers } from '../engine/screens/http/admitted-browsers.ts'
import { SluiceError } from '../engine/ground/errors.ts'
import { didYouMean } from '../engine/ground/nearest.ts'
import type { CommandSetup } from './cli-context.ts'
import { localTime } from './local-time.ts'
import { printList } from './print-list.ts'

const SHOWN = 8

export const browsersCommand = (setup: CommandSetup): Command =>
  new Command('browsers')
    .description('Browsers that may open the screens, let in by a link of `sluice open`.')
    .addCommand(listCommand(setup))
    .addCommand(revokeCommand(setup))
    .addHelpText(
      'after',
      '\nExamples:\n  sluice browsers list\n  sluice browsers revoke 4be03f7a\n  sluice browsers revoke --all',
    )

const open = ({ context, common }: CommandSetup): AdmittedBrowsers =>
  createAdmittedBrowsers({
    dataDir: common().dataDir,
    now: context.now,
    logger: { warn: (message) => context.stderr.write(`sluice: ${message}\n`) },
  })

const listCommand = (setup: CommandSetup): Command =>
  new Command('list')
    .description('List them, the latest use first.')
    .option('--json', 'print a JSON array', false)
    .action(({ json }: { json: boolean }) =>
      printList(setup.context, open(setup).list(), {
        json,
        none: 'No browser has access. "sluice open" prints a link that lets one in.',
        columns: [
          { title: 'id', value: ({ id }) => id.slice(0, SHOWN), isWhole: true },
          { title: 'browser', value: ({ name }) => name },
          { title: 'let in', value: ({ admittedAt }) => localTime(admittedAt) },
          { title: 'last use', value: ({ usedAt }) => localTime(usedAt) },
          { title: 'ends unless used', value: ({ endsAt }) => localTime(endsAt) },
        ],
      }),
    )

const revokeCommand = (setup: CommandSetup): Command =>
  new Command('revoke')
    .description('End the access of browsers. Their open pages stop working within a second.')
    .argument('[ids...]', 'from `sluice browsers list`; the beginning is enough')
    .option('--all', 'of all browsers', false)
    .action((ids: readonly string[], { all }: { all: boolean }) => {
      const browsers = open(setup)
      const known = browsers.list()
      if (ids.length === 0 && !all)
        throw new SluiceError('BAD_INPUT', 'Name the browsers from `sluice browsers list`, or say --all.')
      const chosen = all ? known : ids.map((given) => oneOf(known, given))
      const count = browsers.revoke(chosen.map(({ id }) => id))
      setup.context.stdout.write(
        count === 1
          ? 'One browser has no access any more.\n'
          : `${count} browsers have no access any more.\n`,
      )
    })

function oneOf<Browser extends { readonly id: string }>(known: readonly Browser[], given: string): Browser {
  const [first, second] = known.filter(({ id }) => id.startsWith(given))
  if (first && !second) return first
  const why = first
    ? `Several browsers begin with "${given}": give more of the id`
    : `No browser is "${given}"`
  const ids = known.map(({ id }) => id.slice(0, SHOWN))
  const hint = first ? '' : didYouMean(given.slice(0, SHOWN), ids)
  throw new SluiceError('BAD_INPUT', `${why}.${hint} \`sluice browsers list\` shows them.`)
}
