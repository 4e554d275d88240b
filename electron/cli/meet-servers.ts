import { identityOf } from '../engine/approvals/launch.ts'
import type { PinStore } from '../engine/approvals/pin-store.ts'
import type { ClientLink } from '../engine/downstream/client-session.ts'
import { messageOf } from '../engine/errors.ts'
import { LATEST_LEGACY_VERSION } from '../engine/protocol/era.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'
import { createEngineLogger } from './create-logger.ts'
import { engineOptions } from './engine-options.ts'

/** Nobody is there to answer a server's questions. */
const silentLink: ClientLink = {
  era: 'legacy',
  notify: () => {},
  ask: () => Promise.reject(new Error('Nobody is asked while servers are only looked at.')),
}

/**
 * Starts every enabled server that was never seen as it is launched now (or only `wanted`), so that there is something
 * to review. Servers that can't be started are named on stderr; the others are not held up.
 */
export async function meetServers(
  context: CliContext,
  common: CommonOptions,
  store: PinStore,
  wanted: string | undefined,
): Promise<void> {
  const logger = createEngineLogger(context, common, 'error')
  const { createEngine } = await import('../engine/engine.ts')
  const engine = await createEngine({ ...engineOptions(context, common, logger), watchSettings: false })
  try {
    const known = new Set(store.servers().map(({ identity }) => identity))
    const unknown = Object.entries(engine.settings.current.servers).filter(
      ([id, server]) =>
        !server.disabled && (wanted === undefined || wanted === id) && !known.has(identityOf(server)),
    )
    if (unknown.length > 0) {
      context.stderr.write(`Looking at what ${unknown.map(([id]) => id).join(', ')} offers …\n`)
    }
    await Promise.all(
      unknown.map(async ([serverId]) => {
        const client = { name: 'sluice review' }
        const session = engine.openSession({ scope: { kind: 'server', serverId }, client, link: silentLink })
        try {
          await session.handleRequest({
            id: 1,
            method: 'initialize',
            params: {
              protocolVersion: LATEST_LEGACY_VERSION,
              capabilities: {},
              clientInfo: { name: 'sluice review', version: context.version },
            },
            signal: new AbortController().signal,
            notify: () => {},
          })
        } catch (error) {
          context.stderr.write(`  ${serverId}: ${messageOf(error)}\n`)
        } finally {
          await session.close()
        }
      }),
    )
  } finally {
    await engine.close()
    logger.close()
  }
}
