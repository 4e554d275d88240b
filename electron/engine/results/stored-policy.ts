import type { Policy } from '../../../shared/policy.ts'
import type { Settings } from '../../../shared/settings.ts'
import { resolveServerPolicy, resolveToolPolicy } from '../settings/resolve-policy.ts'
import type { StoredResult } from './result-index.ts'

/** Of resources among stored results. */
const RESOURCE = 'resource '

/** Today's policy of the tool that a kept result came from. */
export const policyOfStored = (
  settings: Settings,
  { server, tool }: Pick<StoredResult, 'server' | 'tool'>,
): Policy =>
  tool.startsWith(RESOURCE)
    ? resolveServerPolicy(settings, server)
    : resolveToolPolicy(settings, server, tool)
