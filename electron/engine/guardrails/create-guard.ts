import type { Database } from '../ground/database/database.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { resolveToolPolicy } from '../settings/resolve-policy.ts'
import type { Ground } from '../settings/open-ground.ts'
import type { GuardPolicy } from '../../../shared/guard-policy.ts'
import type { GuardedOrigin } from '../message/origins.ts'
import { cleanDefinition } from './clean-definition.ts'
import { createFlowGuard, type FindSecrets } from './flow/flow-guard.ts'
import { createGuardText, guardOptions } from './guard-options.ts'
import { guardLayers } from './guard-layers.ts'
import { createResultGuard } from './guard-result.ts'
import { createOtherDetectors } from './other-detectors.ts'
import { QuarantineStore } from './quarantine-store.ts'
import { createReleaseTool } from './release-tool.ts'
import { createChangeScan, type MaskDefinition } from './scan-change.ts'

/** With its quarantine. */
export function createGuard(
  options: Ground & {
    readonly database: Database
    readonly results: Parameters<typeof guardOptions>[0]['results']
    /** Before a text leaves the machine. */
    readonly maskForRemote: (text: string) => Promise<string>
    readonly maskHere: MaskDefinition
    /** Keys and passwords in texts. */
    readonly findSecrets: FindSecrets
  },
) {
  const { database, now, settings, env, secrets, policies, maskForRemote, maskHere } = options
  const quarantine = new QuarantineStore(database, now, () => ({
    keepMs: settings.current.quarantine.keepDays * 24 * 3600_000,
    maxBytes: settings.current.quarantine.maxBytes,
  }))
  const joined = guardOptions({
    ...options,
    quarantine,
    settings: () => settings.current,
    mask: maskForRemote,
  })
  const guard = createResultGuard(joined)
  const flow = createFlowGuard(options.findSecrets)
  return {
    ...guardLayers(guard),
    watchFlow: flow.layer,
    guardExplored: async (value: JsonObject, origin: GuardedOrigin, policy: GuardPolicy) => {
      const shown = await guard.guardExplored(value, origin, policy)
      flow.noteExplored(origin.clientName, origin.serverId, shown, policy)
      return shown
    },
    /** Throws CALL_REFUSED for a kept text that must not be passed on. */
    guardReferred: async (text: string, origin: GuardedOrigin, policy: GuardPolicy): Promise<void> => {
      await guard.guardContent({ content: [{ type: 'text', text }] }, origin, policy)
    },
    quarantine,
    prepareGuard: () => joined.whenLoaded(() => undefined),
    guardText: createGuardText(joined.scan),
    scanChange: createChangeScan(
      () => createOtherDetectors(settings.current.guardDetectors, { env, secrets, fetch }),
      maskHere,
    ),
    /** Without hiding characters. */
    cleanDefinition: (serverId: string, value: JsonObject): JsonObject =>
      cleanDefinition(value, policies.ofServer(serverId).guard.controlCharacters),
    release: createReleaseTool(
      quarantine,
      (server, tool) => resolveToolPolicy(settings.current, server, tool).guard.controlCharacters,
    ),
  }
}
