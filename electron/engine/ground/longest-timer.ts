/** Longest `setTimeout` delay (24.8 days). A longer one fires after 1 ms. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1
