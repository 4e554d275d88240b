/** Gives up what can't go on, and decides nothing: it is far longer than a process of a busy machine stalls. */
export const GIVE_UP_MS = 100_000
