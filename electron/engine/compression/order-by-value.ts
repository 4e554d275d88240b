import type { Unit } from './unit.ts'

/** Best first, ties in document order; a heap, because callers read few. */
export function* orderByValue(units: readonly Unit[], costExponent: number): Generator<number> {
  const keys = new Float64Array(units.length)
  const heap: number[] = []
  units.forEach((unit, i) => {
    if (!(unit.value > 0)) return
    const length = unit.length ?? (typeof unit.text === 'string' ? unit.text.length : 0)
    keys[i] = costExponent === 0 ? unit.value : unit.value / Math.max(8, length / 4) ** costExponent
    heap.push(i)
  })
  const before = (a: number, b: number) => {
    const difference = (keys[b] ?? 0) - (keys[a] ?? 0)
    return difference === 0 ? a < b : difference < 0
  }
  const sink = (from: number) => {
    let parent = from
    const item = heap[parent] ?? 0
    for (;;) {
      let child = parent * 2 + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1] ?? 0, heap[child] ?? 0)) child++
      if (!before(heap[child] ?? 0, item)) break
      heap[parent] = heap[child] ?? 0
      parent = child
    }
    heap[parent] = item
  }
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) sink(i)
  while (heap.length > 0) {
    const best = heap[0] ?? 0
    const last = heap.pop() ?? 0
    if (heap.length > 0) {
      heap[0] = last
      sink(0)
    }
    yield best
  }
}
