import type { Policy, ToolPolicy } from '../../../shared/settings.ts'

/**
 * The same policy for a Sluice that is switched off: nothing is shortened, scanned, cleaned or masked. The direction of
 * masking stays without anything to mask: stand-ins that a conversation holds already still become the values they stand
 * for.
 */
export const straightThrough = <P extends Policy>(policy: P): P => ({
  ...policy,
  compression: { ...policy.compression, strategy: 'off' },
  cache: { ...policy.cache, enabled: false, shortened: false },
  guard: { ...policy.guard, results: 'off', arguments: 'off', controlCharacters: 'keep' },
  masking: { ...policy.masking, types: [], customPatterns: {} },
  toolList: { schemas: 'as-is', slim: false, lazy: false },
})

/** The same for a tool, which is also shown and called as the server has it. */
export const toolStraightThrough = (policy: ToolPolicy): ToolPolicy => ({
  ...straightThrough(policy),
  hidden: false,
  description: undefined,
  hideParameters: [],
  parameterOverrides: {},
})
