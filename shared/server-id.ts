import { BUILT_IN_PREFIX } from './built-in.ts'

/** Sluice's own entry in `/mcp/{server}` and wrapped clients. */
export const RESERVED_SERVER_ID = 'sluice'

export const MAX_SERVER_ID = 40

/**
 * Part of tool names and URLs. Two underscores separate server and tool, so an id has no two in a row and none at its
 * end.
 */
export const SERVER_ID = /^[A-Za-z0-9](?:[A-Za-z0-9-]|[._](?=[A-Za-z0-9-]))*$/

export const isReserved = (id: string): boolean =>
  id.toLowerCase() === RESERVED_SERVER_ID || id.toLowerCase().startsWith(BUILT_IN_PREFIX.toLowerCase())

/** `ServerId` of the settings says what is wrong with another; this loads no schema. */
export const isServerId = (id: string): boolean =>
  id.length <= MAX_SERVER_ID && SERVER_ID.test(id) && !isReserved(id)

/** In reports: what was read back that belongs to no call on record, such as answers to mistaken calls. */
export const UNKNOWN_ROW = '(no call on record)'
