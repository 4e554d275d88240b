/** Notifications that may wait for a reader; of the kinds that may be missed none is added then. */
export const MOST_UNSENT = 1000
export const MAY_BE_MISSED: ReadonlySet<string> = new Set(['notifications/message', 'notifications/progress'])

/** A flood for somebody who does not keep up would fill the memory; what has been left out is said once. */
export const leftOut = (): Error =>
  new Error(`${MOST_UNSENT} notifications wait for a slow reader: log messages and progress are left out.`)
