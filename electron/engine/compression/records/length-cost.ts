const LONGEST = 5000
const costs = Float64Array.from({ length: LONGEST + 1 }, (_, length) => Math.log(1 + length / 40))

/** What a length in characters takes off a score. */
export const costOf = (length: number): number => costs[Math.min(LONGEST, length)] ?? 0
