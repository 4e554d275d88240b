/** Whole percent, and 100 only of all. */
export function percentOf(part: number, whole: number): number {
  const rounded = Math.round((100 * part) / whole)
  return part < whole ? Math.min(99, rounded) : rounded
}
