import { estimateTokens } from '../../text/tokens/estimate-tokens.ts'
import { childrenOf, isContainer, kindOf, NODE, valueOf } from '../../text/tree/json-document.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'
import type { ShapePlan } from './plan-shapes.ts'
import type { CountedText } from './prefixes.ts'
import { canonicalText } from './value-ids.ts'
import type { ValueIds } from './value-ids.ts'
import { writtenCells } from './written-cells.ts'

/** Tokens of a reference, and around a definition. */
const REFERENCE = 2
const DEFINITION = 3

export interface RepeatedValues {
  /** In document order. */
  readonly defined: readonly number[]
  /** Texts still written, with counts. */
  readonly texts: readonly CountedText[]
}

export function findRepeated(
  document: JsonDocument,
  { ids, samples }: ValueIds,
  plan: ShapePlan,
): RepeatedValues {
  const sizes = new Map<number, number>()
  const partsOf = (node: number): number[] => {
    const shape = plan.shapeOf.get(node)
    if (!shape) return isContainer(document, node) ? childrenOf(document, node) : []
    return writtenCells(document, shape, node).flatMap(({ cell }) => (cell >= 0 ? [cell] : []))
  }
  const sizeOf = (node: number): number => {
    const id = ids[node] ?? 0
    const known = sizes.get(id)
    if (known !== undefined) return known
    let size = isContainer(document, node) ? 2 : estimateTokens(canonicalText(document, node))
    const isLiteral = kindOf(document, node) === NODE.object && !plan.shapeOf.has(node)
    for (const part of partsOf(node)) size += sizeOf(part) + (isLiteral ? 3 : 0.5)
    sizes.set(id, size)
    return size
  }

  const uses = new Map<number, number>()
  const count = (node: number): void => {
    const id = ids[node] ?? 0
    const before = uses.get(id) ?? 0
    uses.set(id, before + 1)
    if (before > 0 && pays(sizeOf(node), 2)) return
    for (const part of partsOf(node)) count(part)
  }
  count(document.root)
  for (const shape of plan.shapes) for (const constant of shape.constants) if (constant >= 0) count(constant)

  const defined: number[] = []
  const texts: CountedText[] = []
  for (const [id, times] of [...uses].sort((a, b) => (samples[a[0]] ?? 0) - (samples[b[0]] ?? 0))) {
    const node = samples[id] ?? 0
    const isDefined = pays(sizeOf(node), times)
    if (isDefined) defined.push(id)
    if (kindOf(document, node) === NODE.string)
      texts.push({ text: valueOf(document, node), uses: isDefined ? 1 : times })
  }
  return { defined, texts }
}

const pays = (size: number, times: number): boolean =>
  times > 1 && (times - 1) * size > times * REFERENCE + DEFINITION
