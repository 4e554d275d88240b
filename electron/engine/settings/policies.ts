import type { Settings, ToolPolicy } from '../../../shared/settings.ts'
import type { Policy } from '../../../shared/policy.ts'
import type { Layer } from '../message/layers.ts'
import { resolveServerPolicy, resolveToolPolicy } from './resolve-policy.ts'
import type { SettingsStore } from './settings-store.ts'
import { straightThrough, toolStraightThrough } from './straight-through.ts'
import type { Switch } from './switch.ts'

export interface Policies {
  ofServer(serverId: string): Policy
  ofTool(serverId: string, tool: string): ToolPolicy
  pausable(compress: Layer): Layer
}

export function createPolicies(
  settings: Pick<SettingsStore, 'current'>,
  mainSwitch: Pick<Switch, 'current'>,
): Policies {
  const paused =
    <Message extends { readonly policy: Policy }, Answer>(treat: (message: Message) => Answer) =>
    (message: Message): Answer => {
      if (mainSwitch.current.compressing) return treat(message)
      const { policy } = message
      return treat({
        ...message,
        policy: { ...policy, compression: { ...policy.compression, strategy: 'off' } },
      })
    }
  const ofServers = rememberPerSettings((serverId) => resolveServerPolicy(settings.current, serverId))
  const ofTools = rememberPerSettings((serverId, tool) => resolveToolPolicy(settings.current, serverId, tool))
  return {
    ofServer: (serverId) => {
      const policy = ofServers(settings.current, serverId, '')
      return mainSwitch.current.on ? policy : straightThrough(policy)
    },
    ofTool: (serverId, tool) => {
      const policy = ofTools(settings.current, serverId, tool)
      return mainSwitch.current.on ? policy : toolStraightThrough(policy)
    },
    // A pause must not change tool lists, because that would invalidate the client's prompt cache. So this layer
    // handles it, not the policy.
    pausable: ({ call, read, ...others }) => ({
      ...others,
      ...(call && { call: (next) => paused(call(next)) }),
      ...(read && { read: (next) => paused(read(next)) }),
    }),
  }
}

/** Clients may send unknown tool names. */
const MOST_REMEMBERED = 2000

/** Every call needs its policy, and settings seldom change. */
function rememberPerSettings<P>(resolve: (serverId: string, tool: string) => P) {
  let of: Settings | undefined
  const known = new Map<string, P>()
  return (settings: Settings, serverId: string, tool: string): P => {
    if (of !== settings || known.size > MOST_REMEMBERED) known.clear()
    of = settings
    const key = `${serverId}\n${tool}`
    const found = known.get(key)
    if (found !== undefined) return found
    const resolved = resolve(serverId, tool)
    known.set(key, resolved)
    return resolved
  }
}
