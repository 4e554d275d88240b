import { existsSync } from 'node:fs'
import { Command } from 'commander'
import type { ServerSettings } from '../../shared/settings.ts'
import { messageOf, SluiceError } from '../engine/ground/errors.ts'
import { didYouMean } from '../engine/ground/nearest.ts'
import type { SecretPlace, Secrets } from '../engine/ground/secrets/secrets.ts'
import type { CommandSetup } from './cli-context.ts'
import { headlessSecrets } from './headless-secrets.ts'
import { printList } from './print-list.ts'
import { readInput } from './read-input.ts'

const EXAMPLES = `
config.json contains only a secret's name: \${secret:NAME} in env, headers, args or url of a server.
The value comes through stdin, because other programs can see arguments.

Examples:
  printf %s "$TOKEN" | sluice secrets set github-token
  sluice secrets keep github          moves the keys of a server out of config.json
  sluice secrets list
  sluice secrets remove github-token`

export const secretsCommand = (setup: CommandSetup): Command =>
  new Command('secrets')
    .description('Keys for servers, kept in the system’s keyring instead of config.json.')
    .addCommand(setCommand(setup))
    .addCommand(keepCommand(setup))
    .addCommand(listCommand(setup))
    .addCommand(removeCommand(setup))
    .addHelpText('after', EXAMPLES)

const places: Record<SecretPlace, string> = {
  'safe-storage': 'encrypted by the desktop app',
  keyring: 'in the system’s keyring',
  file: 'readable in secrets.json',
}

const open = ({ context, common }: CommandSetup): Secrets =>
  headlessSecrets(common().dataDir, (message) => context.stderr.write(`sluice: ${message}\n`))

const setCommand = (setup: CommandSetup): Command =>
  new Command('set')
    .description(
      'Keep the text that comes through stdin under this name. One line break at its end is left out.',
    )
    .argument('<name>', 'letters, digits, "_", "-" and "."')
    .action(async (name: string) => {
      const value = (await readInput(undefined, setup.context)).replace(/\r?\n$/, '')
      if (value === '') throw new SluiceError('BAD_INPUT', 'Nothing came through stdin, so nothing was kept.')
      const place = await open(setup).set(name, value)
      setup.context.stdout.write(
        `${name} is kept (${places[place]}). Write \${secret:${name}} in config.json.\n`,
      )
    })

const keepCommand = (setup: CommandSetup): Command =>
  new Command('keep')
    .description('Move keys in config.json, in variables and headers of servers, to where secrets are kept.')
    .argument('[servers...]', 'of these servers; of all unless named')
    .action(async (servers: readonly string[]) => keepKeysOf(servers, setup))

async function keepKeysOf(named: readonly string[], setup: CommandSetup): Promise<void> {
  const { context, common } = setup
  const { openSoundSettings } = await import('./sound-settings.ts')
  const { argumentKeyWarnings, keepKeys, placeOfKey } = await import('../engine/ground/secrets/plain-keys.ts')
  const settings = await openSoundSettings(common(), { edits: true })
  try {
    const known = settings.current.servers
    const unknown = named.find((server) => !Object.hasOwn(known, server))
    if (unknown !== undefined) {
      const hint = didYouMean(unknown, Object.keys(known))
      throw new SluiceError('SERVER_UNKNOWN', `There is no server "${unknown}" in ${settings.path}.${hint}`)
    }
    const secrets = open(setup)
    let count = 0
    for (const [server, plain] of Object.entries(known)) {
      if (named.length > 0 && !named.includes(server)) continue
      const { settings: next, kept } = await keepKeys(server, plain, secrets)
      const edits = kept.map(({ key: { field, name } }) => ({
        path: ['servers', server, field, name],
        value: next[field]?.[name] ?? '',
      }))
      if (edits.length > 0) {
        await carryApproval(setup, server, plain, next)
        settings.update(edits)
      }
      count += kept.length
      for (const { name, key } of kept)
        context.stdout.write(`${server}: ${placeOfKey(key)} is \${secret:${name}} now.\n`)
      for (const note of argumentKeyWarnings(server, plain)) context.stdout.write(`${note}\n`)
    }
    if (count === 0) context.stdout.write('No variable and no header holds a key in plain text.\n')
  } finally {
    settings.close()
  }
}

async function carryApproval(
  { context, common }: CommandSetup,
  server: string,
  before: ServerSettings,
  after: ServerSettings,
): Promise<void> {
  const { pinsPath } = await import('../engine/approvals/approvals.ts')
  if (!existsSync(pinsPath(common().dataDir))) return
  const { openPins } = await import('./open-pins.ts')
  try {
    const store = openPins(context, common(), false)
    try {
      store.carryVariables(server, before, after, 'sluice secrets keep')
    } finally {
      store.close()
    }
  } catch (error) {
    context.stderr.write(`sluice: ${server} may have to be approved again: ${messageOf(error)}\n`)
  }
}

const listCommand = (setup: CommandSetup): Command =>
  new Command('list')
    .description('List the names, and where the values lie; no values.')
    .option('--json', 'print a JSON array', false)
    .action(async ({ json }: { json: boolean }) =>
      printList(setup.context, await open(setup).list(), {
        json,
        none: 'No secret is kept.',
        columns: [
          { title: 'name', value: ({ name }) => name, isWhole: true },
          { title: 'where', value: ({ place }) => places[place] },
        ],
      }),
    )

const removeCommand = (setup: CommandSetup): Command =>
  new Command('remove')
    .description('Forget a secret. Servers that name it can’t start any more.')
    .argument('<name>', 'which one')
    .action(async (name: string) => {
      const secrets = open(setup)
      const known = (await secrets.list()).map((entry) => entry.name)
      if (!known.includes(name))
        throw new SluiceError(
          'BAD_INPUT',
          `No secret is called "${name}".${didYouMean(name, known)} \`sluice secrets list\` shows all.`,
        )
      await secrets.delete(name)
      setup.context.stdout.write(`Removed ${name}.\n`)
    })
