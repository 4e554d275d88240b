import { Command, Option } from 'commander'
import type { CommandSetup } from './cli-context.ts'
import { type ConnectOptions, runConnect } from './run-connect.ts'

const EXAMPLES = `
An AI app starts this command for its MCP server. It joins the running engine. Where none runs it
starts one in the background, which ends some seconds after its last client.

Examples:
  sluice connect                                  all servers, tools named server__tool
  sluice connect --server github --client cursor  one server, names unchanged
  sluice connect --profile work                   the servers of a profile
  sluice connect --server sluice                  only Sluice's own tools for kept results`

export const connectCommand = ({ context, common, end }: CommandSetup): Command =>
  new Command('connect')
    .description('Speak MCP over stdin and stdout on behalf of Sluice.')
    .option('--server <id>', 'only this server, under its own names')
    .addOption(new Option('--profile <name>', 'only the servers of this profile').conflicts('server'))
    .option(
      '--client <name>',
      'whose results and statistics these are; default: what the client calls itself',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (options: ConnectOptions) => end(await runConnect(options, common(), context)))
