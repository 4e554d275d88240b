import { excerpt } from '../rank/excerpt.ts'
import type { Goal } from '../rank/goal.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import {
  childrenOf,
  isContainer,
  keyOf,
  kindOf,
  NODE,
  sourceOf,
  valueOf,
} from '../../text/tree/json-document.ts'

export interface Cuts {
  /** Elements kept per list, the best in order. */
  readonly elements: number
  /** Characters per string. */
  readonly longest: number
  readonly dropped: ReadonlySet<number>
  /** Strings that must not change, by path. */
  readonly rigid: ReadonlySet<number>
  /** Objects (nodes) that map names to similar things: they keep members like lists keep elements. */
  readonly maps: ReadonlySet<number>
}

/** Cuts by path, in document order; omits what is inside something left out. */
export interface CutReport {
  readonly lists: Map<number, { kept: number; of: number }>
  readonly fields: Set<number>
  strings: number
}

export type Shortener = (cuts: Cuts, report?: CutReport) => string

/** Prints a document with best list elements (by `worthOf`), clipped strings (cached), without dropped fields. Recursive, some hundred levels. */
export function createShortener(
  leaves: JsonLeaves,
  goal: Goal | undefined,
  worthOf: (node: number) => number,
): Shortener {
  const { document, paths } = leaves
  const clipped = new Map<string, string>()
  const clip = (node: number, longest: number): string => {
    const place = `${node}:${longest}`
    let text = clipped.get(place)
    if (text === undefined)
      clipped.set(place, (text = JSON.stringify(excerpt(valueOf(document, node), longest, goal))))
    return text
  }
  return (cuts, report) => {
    const noteList = (node: number, of: number, kept: number): void => {
      const path = paths[node] ?? 0
      const known = report?.lists.get(path)
      if (known) Object.assign(known, { kept: known.kept + kept, of: known.of + of })
      else report?.lists.set(path, { kept, of })
    }
    const best = (node: number, children: readonly number[]): readonly number[] => {
      const kept = bestElements(children, cuts.elements, worthOf)
      if (report) noteList(node, children.length, kept.length)
      return kept
    }
    const isKept = (child: number): boolean => {
      const path = paths[child] ?? 0
      if (!cuts.dropped.has(path)) return true
      report?.fields.add(path)
      return false
    }
    const write = (node: number): string => {
      const kind = kindOf(document, node)
      if (kind === NODE.string) {
        const length = (document.stops[node] ?? 0) - (document.starts[node] ?? 0)
        if (length <= cuts.longest || cuts.rigid.has(paths[node] ?? 0)) return sourceOf(document, node)
        if (report) report.strings++
        return clip(node, cuts.longest)
      }
      if (!isContainer(document, node)) return sourceOf(document, node)
      const children = childrenOf(document, node)
      if (kind === NODE.array) return `[${best(node, children).map(write).join(',')}]`
      const isMap = cuts.maps.has(node)
      const members = (isMap ? best(node, children) : children.filter(isKept)).map(
        (child) => `${document.keyTexts[keyOf(document, child)] ?? '""'}:${write(child)}`,
      )
      return `{${members.join(',')}}`
    }
    return write(document.root)
  }
}

/** The best elements in order, the first of equal ones. */
function bestElements(
  elements: readonly number[],
  count: number,
  worthOf: (node: number) => number,
): readonly number[] {
  if (elements.length <= count) return elements
  const order = elements.map((element, place) => ({ element, place, worth: worthOf(element) }))
  order.sort((a, b) => b.worth - a.worth || a.place - b.place)
  return order
    .slice(0, count)
    .sort((a, b) => a.place - b.place)
    .map(({ element }) => element)
}
