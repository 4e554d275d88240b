import { text as readAll } from 'node:stream/consumers'
import { Command } from 'commander'
import type { Importable } from '../engine/client-configs/import-servers.ts'
import { SluiceError } from '../engine/ground/errors.ts'
import type { SettingsStore } from '../engine/settings/settings-store.ts'
import type { CliContext, CommandSetup, CommonOptions } from './cli-context.ts'
import type { TargetOptions } from './client-targets.ts'
import { confirm, plainText } from './confirm.ts'
import { headlessSecrets } from './headless-secrets.ts'

interface ImportOptions extends TargetOptions {
  readonly server?: readonly string[]
  readonly yes: boolean
  readonly dryRun: boolean
  readonly keepKeys: boolean
}

const EXAMPLES = `
The app's own file stays as it is. With "-" a snippet of any app (JSON, TOML or YAML) is read from stdin.

Examples:
  sluice import roo-code
  sluice import --file ./mcp.json --server github --yes
  sluice import - --yes < snippet.json`

export const importCommand = ({ context, common }: CommandSetup): Command =>
  new Command('import')
    .description("Take an AI app's MCP servers into config.json without changing the app.")
    .argument('[client]', 'the app, as `sluice clients` names it, or "-" for a snippet from stdin')
    .option('--file <path>', 'this file, of whatever app')
    .option('--server <names...>', 'only these servers')
    .option('--project <folder>', "the app's files for this project")
    .option('--yes', 'do it without a question', false)
    .option('--keep-keys', 'put keys into the system’s keyring and ${secret:NAME} into config.json', false)
    .option('--dry-run', 'only show what would be taken', false)
    .addHelpText('after', EXAMPLES)
    .action((client: string | undefined, options: ImportOptions) =>
      importFrom(client, options, context, common()),
    )

async function importFrom(
  client: string | undefined,
  options: ImportOptions,
  context: CliContext,
  common: CommonOptions,
): Promise<void> {
  const { findTargets, ownLauncher } = await import('./client-targets.ts')
  const { openSoundSettings } = await import('./sound-settings.ts')
  const { readImportable } = await import('../engine/client-configs/import-servers.ts')
  const { switchedOff } = await import('../engine/client-configs/switched-off.ts')
  const { loadClientFile } = await import('../engine/client-configs/load-client-file.ts')
  const { nodeClientFiles } = await import('../engine/client-configs/node-client-files.ts')
  const { parsePastedServers } = await import('../engine/client-configs/parse-pasted.ts')
  const { stdin } = context
  const names = options.server ? { names: options.server } : {}
  if (client === '-' && !options.yes && !options.dryRun) {
    throw new SluiceError(
      'BAD_INPUT',
      'Nothing was changed: a snippet from stdin needs --yes, or --dry-run to look.',
    )
  }
  const pasted = client === '-' ? await readAll(stdin) : undefined
  const targets = pasted === undefined ? findTargets(client, options, context, common) : []
  const settings = await openSoundSettings(common, { edits: true })
  const own = { launcher: ownLauncher(context, common), httpPort: settings.current.http.port }
  const offer = (title: string, found: Importable): Promise<void> =>
    takeServers(title, found, { options, context, common, settings })
  try {
    if (pasted !== undefined) {
      await offer('stdin', parsePastedServers(pasted, { own, servers: settings.current.servers, ...names }))
    }
    for (const target of targets) {
      const { parsed } = loadClientFile(target.path, nodeClientFiles)
      const found = readImportable(parsed.value, {
        client: target.client,
        isOff: switchedOff(
          { path: target.path, value: parsed.value, machine: context },
          target.client,
          nodeClientFiles,
        ),
        own,
        servers: settings.current.servers,
        ...names,
        ...(target.project === undefined ? {} : { project: target.project }),
      })
      await offer(`${target.client.label}: ${target.path}`, found)
    }
  } finally {
    settings.close()
  }
}

interface Taking {
  readonly options: ImportOptions
  readonly context: CliContext
  readonly common: CommonOptions
  readonly settings: SettingsStore
}

/** Shows what was found, and takes the new servers into config.json if the user says yes. */
async function takeServers(
  title: string,
  found: Importable,
  { options, context, common, settings }: Taking,
): Promise<void> {
  const { importServers } = await import('../engine/client-configs/import-servers.ts')
  const { keepKeys, plainKeys, plainKeyWarnings } = await import('../engine/ground/secrets/plain-keys.ts')
  const { stdout } = context
  stdout.write(`${plainText(describe(title, found))}\n`)
  const fresh = found.servers.filter(({ isNew }) => isNew)
  if (fresh.length === 0 || options.dryRun) return
  if (!options.yes && !(await confirm(context, 'Take these into config.json?'))) {
    stdout.write('Nothing was changed.\n')
    return
  }
  const isKept =
    options.keepKeys ||
    (!options.yes &&
      fresh.some((server) => plainKeys(server.settings).length > 0) &&
      (await confirm(context, 'Put the keys into the keyring, and only their names into config.json?')))
  const secrets = headlessSecrets(common.dataDir, (message) => context.stderr.write(`sluice: ${message}\n`))
  const servers: Importable['servers'][number][] = []
  for (const server of fresh)
    servers.push(
      isKept
        ? { ...server, settings: (await keepKeys(server.serverId, server.settings, secrets)).settings }
        : server,
    )
  const ids = importServers(servers, settings)
  for (const server of servers)
    for (const note of plainKeyWarnings(server.serverId, server.settings))
      stdout.write(`${plainText(`Note: ${note}`)}\n`)
  stdout.write(`Done: ${settings.path} has ${ids.join(', ')}.\n`)
}

function describe(title: string, { servers, skipped }: Importable): string {
  return [
    title,
    ...skipped.map(({ name, why }) => `  ${name} is left out: ${why}`),
    ...servers.map(({ name, serverId, isNew, launch }) => {
      const how = launch.url ?? [launch.command, ...(launch.args ?? [])].join(' ')
      const variables = [...launch.env, ...launch.headers]
      const along = variables.length === 0 ? '' : ` (with ${variables.join(', ')})`
      return isNew
        ? `  ${name} → ${serverId}: ${how}${along}`
        : `  ${name}: config.json has it as ${serverId}.`
    }),
    ...servers.flatMap(({ warnings }) => warnings.map((warning) => `  Note: ${warning}`)),
    ...(servers.length === 0 ? ['  There is nothing to take over.'] : []),
  ].join('\n')
}
