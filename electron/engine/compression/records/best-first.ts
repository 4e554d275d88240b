/** Most callers read no more, few more than the second; sorting all of millions takes their memory again. */
const FIRST = [400, 4000, 40_000, 400_000, Infinity] as const

/** Members by rank, ties in order. The first hundreds are cheap, all take a sort. */
export function* bestFirst(rankOf: Float64Array, members: Int32Array): Generator<number> {
  const ranks = new Float64Array(members.length)
  for (let place = 0; place < members.length; place++) ranks[place] = rankOf[members[place]!]!
  let read = 0
  for (const most of FIRST) {
    if (read === ranks.length) return
    const best = bestOf(ranks, Math.min(most, ranks.length))
    for (; read < best.length; read++) yield members[best[read]!]!
  }
}

/** Indexes of the `most` best ranks. */
function bestOf(ranks: Float64Array, most: number): number[] {
  const last = ranks.length > most ? rankOfLast(ranks, most) : -Infinity
  let above = 0
  for (let place = 0; place < ranks.length; place++) if (ranks[place]! > last) above++
  const count = Math.min(most, ranks.length)
  let ties = count - above
  const places = new Int32Array(count)
  const sorted = new Float64Array(count)
  let at = 0
  for (let place = 0; place < ranks.length; place++) {
    const rank = ranks[place] ?? 0
    if (rank < last || (rank === last && ties-- <= 0)) continue
    places[at] = place
    sorted[at++] = rank
  }
  // Many times faster than sorting indexes.
  sorted.sort()
  // V8 stores lists not filled from the start as slow tables.
  const best: number[] = []
  for (let i = 0; i < count; i++) best.push(0)
  // Indexes already placed, at the start of their rank.
  const placed = new Int32Array(count)
  for (let i = 0; i < count; i++) {
    const place = places[i] ?? 0
    const first = count - firstAbove(sorted, ranks[place] ?? 0)
    best[first + (placed[first] ?? 0)] = place
    placed[first]!++
  }
  return best
}

/** Quickselect: most ranks need no order. */
function rankOfLast(ranks: Float64Array, most: number): number {
  const left = ranks.slice()
  const wanted = left.length - most
  let low = 0
  let high = left.length - 1
  while (low < high) {
    const end = partition(left, low, high)
    if (wanted <= end) high = end
    else low = end + 1
  }
  return left[wanted] ?? 0
}

/** Hoare partition up to the returned index; a separate loop for V8. */
function partition(numbers: Float64Array, low: number, high: number): number {
  const pivot = numbers[(low + high) >> 1] ?? 0
  let i = low - 1
  let j = high + 1
  for (;;) {
    do i++
    while ((numbers[i] ?? 0) < pivot)
    do j--
    while ((numbers[j] ?? 0) > pivot)
    if (i >= j) return j
    const moved = numbers[i] ?? 0
    numbers[i] = numbers[j] ?? 0
    numbers[j] = moved
  }
}

function firstAbove(sorted: Float64Array, number: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= number) low = middle + 1
    else high = middle
  }
  return low
}
