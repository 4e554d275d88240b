import type { ToolPolicy } from '../../../shared/settings.ts'
import type { Policy } from '../../../shared/policy.ts'

/**
 * No shortening, scanning, cleaning or masking. The masking direction stays, so that a conversation's placeholders
 * are still resolved.
 */
export const straightThrough = <P extends Policy>(policy: P): P => ({
  ...policy,
  compression: { ...policy.compression, strategy: 'off' },
  cache: { ...policy.cache, enabled: false, shortened: false },
  guard: { ...policy.guard, results: 'off', arguments: 'off', flow: 'off', controlCharacters: 'keep' },
  masking: { ...policy.masking, types: [], customPatterns: {} },
  toolList: { schemas: 'as-is', slim: false, lazy: false },
})

export const toolStraightThrough = (policy: ToolPolicy): ToolPolicy => ({
  ...straightThrough(policy),
  hidden: false,
  description: undefined,
  hideParameters: [],
  parameterOverrides: {},
})
