import type { Found } from './personal-data.ts'

export function mergeFound<Kept extends Found>(kept: readonly Kept[], further: readonly Kept[]): Kept[] {
  if (further.length === 0) return [...kept]
  const merged: Kept[] = []
  let next = 0
  let end = 0
  for (const candidate of further) {
    for (let known = kept[next]; known && known.start < candidate.end; known = kept[++next]) {
      merged.push(known)
      end = Math.max(end, known.end)
    }
    if (candidate.start < end) continue
    merged.push(candidate)
    end = candidate.end
  }
  return [...merged, ...kept.slice(next)]
}
