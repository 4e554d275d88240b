import { kindOf, NODE, sourceOf, valueOf } from '../../text/tree/json-document.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'
import { parseJson } from '../../text/tree/parse-json.ts'

const DOMINANT = 0.6
const DEEPEST = 3

/** Servers often put JSON text into one string ({"result": "{\"items\": …}"}). When that is most of the document, it is parsed. */
export function seeThrough(document: JsonDocument): JsonDocument {
  let seen = document
  for (let depth = 0; depth < DEEPEST; depth++) {
    const node = longestString(seen)
    if (node < 0) break
    const source = sourceOf(seen, node)
    if (source.length < DOMINANT * seen.text.length || !/^"\s*(?:\\[nrt]\s*)*[{[]/.test(source)) break
    const inner = valueOf(seen, node)
    if (parseJson(inner)?.root !== 1) break
    const spliced = parseJson(
      seen.text.slice(0, seen.starts[node]) + inner + seen.text.slice(seen.stops[node]),
    )
    if (spliced === undefined) break
    seen = spliced
  }
  return seen
}

function longestString(document: JsonDocument): number {
  let longest = -1
  let most = 0
  for (let node = document.root; node < document.count; node++) {
    const length = (document.stops[node] ?? 0) - (document.starts[node] ?? 0)
    if (kindOf(document, node) !== NODE.string || length <= most) continue
    longest = node
    most = length
  }
  return longest
}
