import { Command } from 'commander'
import type { FoundClient, FoundFile, FoundServer } from '../engine/client-configs/find-clients.ts'
import type { CliContext, CommandSetup, CommonOptions } from './cli-context.ts'
import { plainText } from './confirm.ts'
import { formatTable, widthOf } from './format-table.ts'

const INDENT = ' '.repeat(4)
const EXAMPLES = `
Values of environment variables and headers are not shown, but those that decide what is started.

Examples:
  sluice clients          the apps on this machine, their files and servers
  sluice clients --json   for scripts`

export const clientsCommand = ({ context, common }: CommandSetup): Command =>
  new Command('clients')
    .description('List the AI apps on this machine, their MCP servers, and which are wrapped.')
    .option('--json', 'print a JSON array', false)
    .addHelpText('after', EXAMPLES)
    .action(async ({ json }: { json: boolean }) => {
      const found = await find(context, common())
      context.stdout.write(
        json
          ? `${JSON.stringify(found, null, 2)}\n`
          : `${plainText(describe(found, widthOf(context.stdout)))}\n`,
      )
    })

async function find(context: CliContext, common: CommonOptions): Promise<readonly FoundClient[]> {
  const { findClients } = await import('../engine/client-configs/find-clients.ts')
  const { nodeClientFiles } = await import('../engine/client-configs/node-client-files.ts')
  const { ownLauncher } = await import('./client-targets.ts')
  const { readSoundSettings } = await import('./sound-settings.ts')
  const { platform, homeDir, env } = context
  const own = {
    launcher: ownLauncher(context, common),
    httpPort: (await readSoundSettings(common)).http.port,
  }
  return findClients({ platform, homeDir, env, files: nodeClientFiles, own })
}

function describe(clients: readonly FoundClient[], width: number): string {
  if (clients.length === 0)
    return 'No AI app with a configuration was found. `sluice wrap --file PATH` takes any file.'
  return clients.map((client) => describeClient(client, width)).join('\n\n')
}

function describeClient(
  { id, label, files, question, remark, readOnly }: FoundClient,
  width: number,
): string {
  const remarks = [question, remark, readOnly].flatMap((text) => (text === undefined ? [] : [`  ${text}`]))
  return [`${label} (${id})`, ...remarks, ...files.map((file) => describeFile(file, width))].join('\n')
}

function describeFile({ path, servers, problem, isMissing }: FoundFile, width: number): string {
  if (isMissing) return `  ${path}\n    not there yet`
  if (problem !== undefined) return `  ${path}\n    ${problem}`
  if (servers.length === 0) return `  ${path}\n    no servers`
  const table = formatTable(
    servers,
    [
      { title: 'server', value: ({ name }) => name },
      { title: 'state', value: stateOf },
      { title: 'started or reached by', value: launchOf },
    ],
    width - INDENT.length,
  )
  return `  ${path}\n${table.replaceAll(/^/gm, INDENT)}`
}

const stateOf = ({ state, why, disabled, project }: FoundServer): string =>
  [
    state === 'unsupported' ? `can't be wrapped: ${why ?? ''}` : state,
    ...(disabled ? ['disabled'] : []),
    ...(project === undefined ? [] : [`project ${project}`]),
  ].join(', ')

const launchOf = ({ launch, state }: FoundServer): string => {
  if (!launch || state === 'wrapped') return ''
  const names = [...launch.env, ...launch.headers]
  const line = launch.url ?? [launch.command, ...(launch.args ?? [])].join(' ')
  return names.length === 0 ? line : `${line} (with ${names.join(', ')})`
}
