/** setTimeout takes no longer waits, 24.8 days: more is made one millisecond. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1
