import { BUILT_IN_POLICY, type Policy } from '../../../shared/policy.ts'
import { appOfBuiltIn } from '../../../shared/built-in.ts'
import type { ServerSettings, Settings, ToolPolicy, ToolSettings } from '../../../shared/settings.ts'
import { BUILT_IN_LIMITS, builtInDefaults } from './built-in-policy.ts'

type Overrides = Pick<ToolSettings, 'compression' | 'cache' | 'guard' | 'masking'> &
  Pick<ServerSettings, 'toolList'>

/** For resources and prompts. */
export const resolveServerPolicy = (settings: Settings, serverId: string): Policy =>
  layOver([settings, serverOf(settings, serverId)])

/** Built-in → global → server → tool, per key; later layers override. */
export function resolveToolPolicy(settings: Settings, serverId: string, tool: string): ToolPolicy {
  const app = appOfBuiltIn(serverId)
  if (app !== undefined) return resolveBuiltInPolicy(settings, app, tool)
  const server = serverOf(settings, serverId)
  const own = entryOf(server?.tools, tool)
  return {
    ...layOver([settings, server, own]),
    hidden: own?.hidden ?? false,
    description: own?.description,
    hideParameters: own?.hideParameters ?? [],
    parameterOverrides: own?.parameterOverrides ?? {},
    ...(own?.cache?.readOnly === undefined ? {} : { saysReadOnly: true }),
  }
}

/** Built-in → global, without masking → what the kind of tool needs → all tools of the app → tool. */
function resolveBuiltInPolicy(settings: Settings, app: string, tool: string): ToolPolicy {
  const own = entryOf(settings.builtIn, app)
  // Its agent can't undo a placeholder, because no hook changes a command or an edit.
  const { masking: _, ...general } = settings
  const layers = [general, builtInDefaults(app, tool), entryOf(own, '*'), entryOf(own, tool), BUILT_IN_LIMITS]
  return {
    ...layOver(layers),
    hidden: false,
    description: undefined,
    hideParameters: [],
    parameterOverrides: {},
  }
}

/** Logs must then omit personal data, too. */
export const usesMasking = (settings: Settings): boolean =>
  [
    settings,
    ...Object.values(settings.servers).flatMap((server) => [server, ...Object.values(server.tools ?? {})]),
    ...Object.values(settings.builtIn).flatMap((tools) => Object.values(tools)),
  ].some(({ masking }) => masking?.direction !== undefined && masking.direction !== 'off')

function layOver(layers: readonly (Overrides | undefined)[]): Policy {
  return {
    compression: Object.assign(
      {},
      BUILT_IN_POLICY.compression,
      ...layers.map((layer) => definedIn(layer?.compression)),
    ),
    cache: Object.assign({}, BUILT_IN_POLICY.cache, ...layers.map((layer) => definedIn(layer?.cache))),
    guard: Object.assign({}, BUILT_IN_POLICY.guard, ...layers.map((layer) => definedIn(layer?.guard))),
    toolList: Object.assign(
      {},
      BUILT_IN_POLICY.toolList,
      ...layers.map((layer) => definedIn(layer?.toolList)),
    ),
    masking: {
      ...Object.assign({}, BUILT_IN_POLICY.masking, ...layers.map((layer) => definedIn(layer?.masking))),
      // A tool's patterns add to the general ones.
      customPatterns: Object.assign({}, ...layers.map((layer) => layer?.masking?.customPatterns)),
    },
  }
}

/** Without undefined values. */
const definedIn = (layer: object | undefined): object =>
  Object.fromEntries(Object.entries(layer ?? {}).filter(([, value]) => value !== undefined))

const serverOf = (settings: Settings, serverId: string): ServerSettings | undefined =>
  entryOf(settings.servers, serverId)

/** Names come from servers and clients: own properties only, so that "constructor" isn't found. */
const entryOf = <T>(map: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  map && Object.hasOwn(map, key) ? map[key] : undefined
