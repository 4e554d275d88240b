import { Command } from 'commander'
import { RESERVED_SERVER_ID, ServerId } from '../../shared/settings.ts'
import { definedOnly } from '../engine/ground/defined-only.ts'
import type { SessionScope } from '../engine/clients/transports/client-session.ts'
import { processParent } from '../engine/clients/connector/parent-watch.ts'
import { SluiceError } from '../engine/ground/errors.ts'
import type { CommandSetup } from './cli-context.ts'
import { createEngineLogger } from './create-logger.ts'
import { engineOptions } from './engine-options.ts'

interface ConnectCliOptions {
  readonly server?: string
  readonly client?: string
}

const EXAMPLES = `
An AI app starts this command for its MCP server. It joins the running engine, or hosts one for itself.

Examples:
  sluice connect                                  all servers, tools named server__tool
  sluice connect --server github --client cursor  one server, names unchanged
  sluice connect --server sluice                  only Sluice's own tools for kept results`

export const connectCommand = ({ context, common, end }: CommandSetup): Command =>
  new Command('connect')
    .description('Speak MCP over stdin and stdout on behalf of Sluice.')
    .option('--server <id>', 'only this server, under its own names')
    .option(
      '--client <name>',
      'whose results and statistics these are; default: what the client calls itself',
    )
    .addHelpText('after', EXAMPLES)
    .action(async ({ server, client }: ConnectCliOptions) => {
      const scope = toScope(server)
      const { connectToEngine } = await import('../engine/clients/connector/connect.ts')
      const code = await connectToEngine({
        dataDir: common().dataDir,
        platform: context.platform,
        tempDir: context.tempDir,
        scope,
        client: { ...(client ? { name: client } : {}), cwd: context.cwd, env: definedOnly(context.env) },
        stdin: context.stdin,
        stdout: context.stdout,
        stderr: context.stderr,
        parent: processParent,
        signals: context.signals,
        hostEngine: async () => {
          // The client shows or stores stderr.
          const logger = createEngineLogger(context, common(), 'warn')
          const { createEngine } = await import('../engine/engine.ts')
          const engine = await createEngine(engineOptions(context, common(), logger))
          return {
            openSession: engine.openSession,
            logger,
            maxMessageBytes: engine.settings.current.limits.maxMessageBytes,
            close: () => engine.close().finally(() => logger.close()),
          }
        },
      })
      end(code)
    })

function toScope(server: string | undefined): SessionScope {
  if (server === undefined) return { kind: 'all' }
  if (server === RESERVED_SERVER_ID) return { kind: 'sluice' }
  const id = ServerId.safeParse(server)
  if (id.success) return { kind: 'server', serverId: id.data }
  throw new SluiceError(
    'BAD_INPUT',
    `"${server}" can't be the id of a server. ${id.error.issues[0]?.message ?? ''}`,
  )
}
