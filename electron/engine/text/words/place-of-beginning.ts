/** Below 32,768, from three code units, folded or ASCII, 0 past the end: five bits each, equal for either case. */
export const placeOfBeginning = (first: number, second: number, third: number): number =>
  ((first & 31) << 10) | ((second & 31) << 5) | (third & 31)
