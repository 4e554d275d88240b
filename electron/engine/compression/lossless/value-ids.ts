import {
  decodeString,
  endOf,
  isContainer,
  keyOf,
  kindOf,
  NODE,
  parentOf,
  sourceOf,
} from '../../text/tree/json-document.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'

/** Numbers every distinct value, so that equal subtrees have equal numbers. */
export interface ValueIds {
  /** Per node. */
  readonly ids: Int32Array
  readonly count: number
  /** A node per id. */
  readonly samples: readonly number[]
}

/** Key order and digits of numbers matter. */
export function findValueIds(document: JsonDocument): ValueIds {
  const ids = new Int32Array(document.count)
  const known = new Map<string, number>()
  const samples: number[] = []
  // Combined contents of each container's children, collected from last to first.
  const contents: string[] = []
  for (let node = document.count - 1; node >= document.root; node--) {
    const content = isContainer(document, node)
      ? `${kindOf(document, node) === NODE.object ? '{' : '['}${contents[node] ?? ''}`
      : canonicalText(document, node)
    let id = known.get(content)
    if (id === undefined) {
      id = samples.length
      samples.push(node)
      known.set(content, id)
    }
    ids[node] = id
    const parent = parentOf(document, node)
    if (parent >= 0) contents[parent] = `,${keyOf(document, node)}:${id}${contents[parent] ?? ''}`
    contents[node] = ''
  }
  return { ids, count: samples.length, samples }
}

/** Strings in their shortest form, numbers unchanged. */
export function canonicalText(document: JsonDocument, node: number): string {
  const source = sourceOf(document, node)
  const isEscaped = kindOf(document, node) === NODE.string && source.includes('\\')
  return isEscaped ? JSON.stringify(decodeString(source)) : source
}

export function depthOf(document: JsonDocument): number {
  const depths = new Int32Array(document.count)
  let deepest = 0
  for (let node = document.root + 1; node < document.count; node++) {
    const depth = (depths[parentOf(document, node)] ?? 0) + 1
    depths[node] = depth
    if (depth > deepest) deepest = depth
  }
  return deepest
}

export const hasMembers = (document: JsonDocument, node: number): boolean =>
  kindOf(document, node) === NODE.object && endOf(document, node) > node + 1
