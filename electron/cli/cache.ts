import { join } from 'node:path'
import { Command } from 'commander'
import type { CacheStore } from '../engine/cache/cache-store.ts'
import { SluiceError } from '../engine/ground/errors.ts'
import { silentLogger } from '../engine/ground/logger.ts'
import { didYouMean } from '../engine/ground/nearest.ts'
import type { CliContext, CommandSetup, CommonOptions } from './cli-context.ts'
import { formatNumber } from './format-table.ts'
import { localTime } from './local-time.ts'
import { printList } from './print-list.ts'
import { readSoundSettings } from './sound-settings.ts'

const EXAMPLES = `
Nothing is cached before you say which tools only read: "cache": { "enabled": true, "readOnly": "yes" } for a tool, or
"marked" to believe its server. A running engine sees at once that the cache was cleared.

Examples:
  sluice cache list
  sluice cache clear github`

export const cacheCommand = (setup: CommandSetup): Command =>
  new Command('cache')
    .description('Results of tools that are used again, and their shortened forms.')
    .addCommand(listCommand(setup))
    .addCommand(clearCommand(setup))
    .addHelpText('after', EXAMPLES)

const listCommand = ({ context, common }: CommandSetup): Command =>
  new Command('list')
    .description('List what is kept, by server and tool.')
    .argument('[server]', 'only of this server')
    .option('--json', 'print a JSON array', false)
    .action((server: string | undefined, { json }: { json: boolean }) =>
      withStore(context, common(), async (store) => {
        await requireKnown(server, common(), store)
        printList(context, store.list(server), {
          json,
          none: server === undefined ? 'The cache is empty.' : `Nothing of "${server}" is cached.`,
          columns: [
            { title: 'server', value: (share) => share.server },
            { title: 'tool', value: ({ tool }) => tool },
            { title: 'what', value: ({ level }) => (level === 'result' ? 'results' : 'shortened forms') },
            { title: 'entries', value: ({ entries }) => entries, right: true },
            { title: 'bytes', value: ({ bytes }) => bytes, right: true },
            { title: 'used', value: ({ hits }) => hits, right: true },
            { title: 'youngest', value: ({ youngest }) => localTime(youngest) },
          ],
        })
      }),
    )

const clearCommand = ({ context, common }: CommandSetup): Command =>
  new Command('clear')
    .description('Forget everything that is cached, or all of one server. Kept originals stay.')
    .argument('[server]', 'only of this server')
    .action((server: string | undefined) =>
      withStore(context, common(), async (store) => {
        await requireKnown(server, common(), store)
        const cleared = store.clear(server)
        const what = cleared === 1 ? 'One entry was' : `${formatNumber(cleared)} entries were`
        context.stdout.write(
          cleared === 0
            ? 'There was nothing to forget.\n'
            : `${what} forgotten${server === undefined ? '' : ` of "${server}"`}.\n`,
        )
      }),
    )

/** In config.json or the cache. Throws SERVER_UNKNOWN. */
async function requireKnown(
  server: string | undefined,
  common: CommonOptions,
  store: CacheStore,
): Promise<void> {
  if (server === undefined) return
  const cached = store.list().map((share) => share.server)
  if (cached.includes(server)) return
  const servers = [...Object.keys((await readSoundSettings(common)).servers), ...cached]
  if (servers.includes(server)) return
  const hint = didYouMean(server, servers) || ' `sluice cache list` shows what is kept.'
  throw new SluiceError('SERVER_UNKNOWN', `There is no server "${server}".${hint}`)
}

async function withStore(
  { now }: CliContext,
  { dataDir }: CommonOptions,
  work: (store: CacheStore) => Promise<void>,
): Promise<void> {
  const [{ CacheStore }, { cacheMigrations }, { openDatabase }] = await Promise.all([
    import('../engine/cache/cache-store.ts'),
    import('../engine/cache/cache-migrations.ts'),
    import('../engine/ground/database/database.ts'),
  ])
  const path = join(dataDir, 'cache.db')
  const store = new CacheStore({
    path,
    open: () =>
      openDatabase({ path, logger: silentLogger, now, migrations: cacheMigrations, isChecked: false }),
    limits: () => ({ maxEntries: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER }),
    now,
    logger: silentLogger,
  })
  try {
    await work(store)
  } finally {
    store.close()
  }
}
