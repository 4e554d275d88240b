import type { Policy, Settings, ToolPolicy } from '../../../shared/settings.ts'
import type { Interceptor } from '../message/call.ts'
import { resolveServerPolicy, resolveToolPolicy } from './resolve-policy.ts'
import type { SettingsStore } from './settings-store.ts'
import { straightThrough, toolStraightThrough } from './straight-through.ts'
import type { Switch } from './switch.ts'

/** The policies in effect: config.json's, unless Sluice is off. */
export interface Policies {
  ofServer(serverId: string): Policy
  ofTool(serverId: string, tool: string): ToolPolicy
  /** The same interceptor, which passes whole results while compression is paused. */
  pausable(compress: Interceptor): Interceptor
}

export function createPolicies(
  settings: Pick<SettingsStore, 'current'>,
  mainSwitch: Pick<Switch, 'current'>,
): Policies {
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
    pausable: (compress) => (next) => {
      const compressing = compress(next)
      return (call) => {
        if (mainSwitch.current.compressing) return compressing(call)
        const { policy } = call
        return compressing({
          ...call,
          policy: { ...policy, compression: { ...policy.compression, strategy: 'off' } },
        })
      }
    },
  }
}

/** More than a user's tools; clients may send unknown tool names. */
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
