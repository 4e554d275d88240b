/** Beyond this many unsent, droppable kinds are dropped. */
export const MOST_UNSENT = 1000
export const MAY_BE_MISSED: ReadonlySet<string> = new Set(['notifications/message', 'notifications/progress'])

/** A flood to a slow reader would fill memory; reported once. */
export const leftOut = (): Error =>
  new Error(`${MOST_UNSENT} notifications wait for a slow reader: log messages and progress are left out.`)
