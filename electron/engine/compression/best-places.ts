/** Places of the `most` largest values, or of the smallest where `turn` is -1, from that end; ties in order. */
export function bestPlaces(
  places: Iterable<number>,
  values: ArrayLike<number>,
  turn: number,
  most: number,
): number[] {
  const best: number[] = []
  for (const place of places) {
    const value = turn * values[place]!
    if (best.length === most && value <= turn * values[best[most - 1]!]!) continue
    let at = best.length
    while (at > 0 && value > turn * values[best[at - 1]!]!) at--
    best.splice(at, 0, place)
    if (best.length > most) best.pop()
  }
  return best
}
