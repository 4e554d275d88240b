import type { Goal } from '../rank/goal.ts'
import { clipText } from './clip-text.ts'
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

/** How hard a document is shortened. */
export interface Cuts {
  /** Elements that each list keeps, the best ones in their order. */
  readonly elements: number
  /** Characters that each string keeps. */
  readonly longest: number
  /** Paths of fields that are left out. */
  readonly dropped: ReadonlySet<number>
  /** Paths of strings that must stay as they are. */
  readonly rigid: ReadonlySet<number>
  /** Objects (nodes) that map names to things of one kind: they keep members as lists keep elements. */
  readonly maps: ReadonlySet<number>
}

/** What was cut of a document, by paths and in the order of the document: of what stands in something left out nothing is noted. */
export interface CutReport {
  readonly lists: Map<number, { kept: number; of: number }>
  readonly fields: Set<number>
  /** Strings that were clipped. */
  strings: number
}

export type Shortener = (cuts: Cuts, report?: CutReport) => string

/**
 * Makes a function that gives a document's text with lists cut to their best elements, strings clipped and fields left
 * out; clipped strings are kept for the next time. `worthOf` says how much a node is worth. Recursive: not for documents
 * deeper than some hundred levels.
 */
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
      clipped.set(place, (text = JSON.stringify(clipText(valueOf(document, node), longest, goal))))
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

/** The best elements in their order, of equal ones the first. */
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
