import type { Policy, ToolPolicy } from '../../shared/settings.ts'
import type { Interceptor } from './call.ts'
import { resolveServerPolicy, resolveToolPolicy } from './settings/resolve-policy.ts'
import type { SettingsStore } from './settings/settings-store.ts'
import { straightThrough, toolStraightThrough } from './settings/straight-through.ts'
import type { Switch } from './switch.ts'

/** What is done to what passes now: config.json's word, unless Sluice is switched off. */
export interface Policies {
  ofServer(serverId: string): Policy
  ofTool(serverId: string, tool: string): ToolPolicy
  /** The same interceptor, which lets results pass whole while compression is paused. */
  pausable(compress: Interceptor): Interceptor
}

export function createPolicies(
  settings: Pick<SettingsStore, 'current'>,
  mainSwitch: Pick<Switch, 'current'>,
): Policies {
  return {
    ofServer: (serverId) => {
      const policy = resolveServerPolicy(settings.current, serverId)
      return mainSwitch.current.on ? policy : straightThrough(policy)
    },
    ofTool: (serverId, tool) => {
      const policy = resolveToolPolicy(settings.current, serverId, tool)
      return mainSwitch.current.on ? policy : toolStraightThrough(policy)
    },
    // A pause changes no list: that would cost clients their prompt cache twice an hour. So it is no matter of policy.
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
