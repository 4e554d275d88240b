import type { JsonDocument } from '../../text/tree/json-document.ts'

/** Equal sources have equal hashes (FNV-1a); of long ones both ends and the length count. */
export function valueHash({ text, starts, stops }: JsonDocument, node: number): number {
  const start = starts[node] ?? 0
  const stop = stops[node] ?? 0
  const length = stop - start
  let hash = 0x811c9dc5 ^ length
  const first = length > 2 * END ? start + END : stop
  for (let i = start; i < first; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  if (first < stop)
    for (let i = stop - END; i < stop; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash | 0
}

const END = 200
