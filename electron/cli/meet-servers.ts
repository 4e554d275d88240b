import { viewOf } from '../engine/protocol/definition-hash.ts'
import { identityOf } from '../engine/approvals/launch.ts'
import type { PinStore } from '../engine/approvals/pin-store.ts'
import type { ClientLink } from '../engine/clients/transports/client-session.ts'
import { messageOf } from '../engine/ground/errors.ts'
import { LATEST_LEGACY_VERSION } from '../engine/protocol/era.ts'
import { EVERY_CAPABILITY } from '../engine/protocol/every-capability.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'
import { createEngineLogger } from './create-logger.ts'
import { engineOptions } from './engine-options.ts'

const silentLink: ClientLink = {
  era: 'legacy',
  notify: () => {},
  ask: (method) =>
    method === 'roots/list'
      ? Promise.resolve({ roots: [] })
      : Promise.reject(new Error('No requests are answered while servers are only inspected.')),
}

/**
 * Enabled servers (or only `wanted`) not yet seen in their current launch, with all client capabilities: one review
 * then covers all clients. If nothing waits, known servers, too, because they may have changed. Failures go to
 * stderr; returns the ids of the servers that failed.
 */
export async function meetServers(
  context: CliContext,
  common: CommonOptions,
  store: PinStore,
  wanted: string | undefined,
): Promise<readonly string[]> {
  const logger = createEngineLogger(context, common, 'error')
  const { createEngine } = await import('../engine/engine.ts')
  const engine = await createEngine({ ...engineOptions(context, common, logger), watchSettings: false })
  try {
    const view = viewOf(EVERY_CAPABILITY)
    const enabled = Object.entries(engine.settings.current.servers).filter(
      ([id, server]) => !server.disabled && (wanted === undefined || wanted === id),
    )
    const isWaitedFor = enabled.some(([id, server]) =>
      store.pendingOf(id, identityOf(server)).some(({ deniedAt }) => deniedAt === undefined),
    )
    const looked = isWaitedFor
      ? enabled.filter(([, server]) => !store.sightings.hasMet(identityOf(server), view))
      : enabled
    if (looked.length > 0) {
      context.stderr.write(`Looking at what ${looked.map(([id]) => id).join(', ')} offers …\n`)
    }
    const failed: string[] = []
    await Promise.all(
      looked.map(async ([serverId]) => {
        const client = { name: 'sluice review' }
        const session = engine.openSession({ scope: { kind: 'server', serverId }, client, link: silentLink })
        try {
          await session.handleRequest({
            id: 1,
            method: 'initialize',
            params: {
              protocolVersion: LATEST_LEGACY_VERSION,
              capabilities: EVERY_CAPABILITY,
              clientInfo: { name: 'sluice review', version: context.version },
            },
            signal: new AbortController().signal,
            notify: () => {},
          })
        } catch (error) {
          failed.push(serverId)
          context.stderr.write(`  ${serverId}: ${messageOf(error)}\n`)
        } finally {
          await session.close()
        }
      }),
    )
    return looked.map(([id]) => id).filter((id) => failed.includes(id))
  } finally {
    await engine.close()
    logger.close()
  }
}
