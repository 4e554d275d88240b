/** Tool calls never are, because a server's hints are unverified. */
export const REPEATABLE = new Set([
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'subscriptions/listen',
])

export const LISTEN = 'subscriptions/listen'

export const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'

/** List method → its change notification and its listen field. */
export const CHANGES: Readonly<Record<string, readonly [method: string, field: string]>> = {
  'tools/list': ['notifications/tools/list_changed', 'toolsListChanged'],
  'prompts/list': ['notifications/prompts/list_changed', 'promptsListChanged'],
  'resources/list': ['notifications/resources/list_changed', 'resourcesListChanged'],
}

const NOTED = new Set([
  ...Object.keys(CHANGES),
  LISTEN,
  'initialize',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])

export const isList = (method: string | undefined): boolean => method !== undefined && method in CHANGES

export const isNoted = (method: string | undefined): boolean => method !== undefined && NOTED.has(method)
