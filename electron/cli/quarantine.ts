import { Command } from 'commander'
import type { Quarantined } from '../engine/guardrails/quarantine-store.ts'
import type { CommandSetup } from './cli-context.ts'
import type { Column } from './format-table.ts'
import { localTime } from './local-time.ts'
import { printList } from './print-list.ts'
import { findQuarantined, withQuarantine } from './with-quarantine.ts'

const EXAMPLES = `
A result that looks like an attack on the model is quarantined, and the client gets an id instead. Look at it first.
A running engine sees a release at once; the model then gets the result with the tool quarantine_release, once. Agents
without Sluice's tools read it with \`sluice read ID\`.

Examples:
  sluice quarantine list
  sluice quarantine show q_1f2e3d4c5b6a
  sluice quarantine release q_1f2e3d4c5b6a`

export const quarantineCommand = (setup: CommandSetup): Command =>
  new Command('quarantine')
    .description('Results that were quarantined because they look like an attack on the model.')
    .addCommand(listCommand(setup))
    .addCommand(showCommand(setup))
    .addCommand(releaseCommand(setup))
    .addCommand(deleteCommand(setup))
    .addHelpText('after', EXAMPLES)

const listCommand = ({ context, common }: CommandSetup): Command =>
  new Command('list')
    .description('List quarantined results, newest first.')
    .option('--json', 'print a JSON array', false)
    .action(({ json }: { json: boolean }) =>
      withQuarantine(context, common(), (store) =>
        printList(context, store.list(), { json, none: 'Nothing is quarantined.', columns: COLUMNS }),
      ),
    )

const showCommand = ({ context, common }: CommandSetup): Command =>
  new Command('show')
    .description('Print one result with what was found in it marked, and hidden characters made visible.')
    .argument('<id>', 'the id from the message that the client got, or from `sluice quarantine list`')
    .option('--whole', 'print long texts whole, not only the surroundings of findings', false)
    .option('--json', 'print everything as JSON, exactly as the server gave it', false)
    .action((id: string, { whole, json }: { whole: boolean; json: boolean }) =>
      withQuarantine(context, common(), async (store) => {
        const entry = findQuarantined(store, id)
        const result = await store.load(id)
        const { formatQuarantined } = await import('./format-quarantined.ts')
        context.stdout.write(
          json
            ? `${JSON.stringify({ ...entry, result }, null, 2)}\n`
            : formatQuarantined(entry, result, { whole }),
        )
      }),
    )

const releaseCommand = ({ context, common }: CommandSetup): Command =>
  new Command('release')
    .description('Let the client that asked for it have this result, once.')
    .argument('<id>', 'which result')
    .option('--json', 'print the entry as JSON', false)
    .action((id: string, { json }: { json: boolean }) =>
      withQuarantine(context, common(), (store) => {
        const before = findQuarantined(store, id)
        const entry = store.release(id)
        const answer =
          before.takenAt === undefined
            ? `Released. Tell ${visibleName(entry.owner)} to call quarantine_release with the id ${id}, or, without Sluice's tools, to run: sluice read ${id}`
            : `${id} was handed over already: the tool has to be called again.`
        context.stdout.write(json ? `${JSON.stringify(entry, null, 2)}\n` : `${answer}\n`)
      }),
    )

const deleteCommand = ({ context, common }: CommandSetup): Command =>
  new Command('delete')
    .description('Delete a result permanently.')
    .argument('<id>', 'which result')
    .option('--json', 'print the dropped entry as JSON', false)
    .action((id: string, { json }: { json: boolean }) =>
      withQuarantine(context, common(), (store) => {
        const entry = findQuarantined(store, id)
        store.delete(id)
        context.stdout.write(json ? `${JSON.stringify(entry, null, 2)}\n` : `Deleted ${id}.\n`)
      }),
    )

const COLUMNS: readonly Column<Quarantined>[] = [
  { title: 'id', value: ({ id }) => id, isWhole: true },
  { title: 'from', value: ({ at }) => localTime(at) },
  { title: 'client', value: ({ owner }) => owner },
  { title: 'server', value: ({ server }) => server },
  { title: 'tool', value: ({ tool }) => tool },
  { title: 'bytes', value: ({ size }) => size, right: true },
  { title: 'state', value: (entry) => stateOf(entry) },
  { title: 'why', value: (entry) => kindsOf(entry) },
]

export const stateOf = ({ releasedAt, takenAt }: Quarantined): string => {
  if (takenAt !== undefined) return 'handed over'
  return releasedAt === undefined ? 'quarantined' : 'released'
}

const kindsOf = ({ findings }: Quarantined): string => {
  if (findings.some(({ kind }) => kind === 'detector-failed')) return 'could not be scanned'
  const sorted = [...findings].sort((a, b) => b.score - a.score)
  return [...new Set(sorted.map(({ kind }) => kind))].slice(0, 3).join(', ')
}

/** Clients choose their names. */
const visibleName = (name: string): string => name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')
