/** In place of a server's id, of an app's own tools: `builtIn.claude-code`. */
export const BUILT_IN_PREFIX = 'builtIn.'

export const builtInId = (app: string): string => `${BUILT_IN_PREFIX}${app}`

/** Undefined for a server's id. */
export const appOfBuiltIn = (serverId: string): string | undefined =>
  serverId.startsWith(BUILT_IN_PREFIX) ? serverId.slice(BUILT_IN_PREFIX.length) : undefined
