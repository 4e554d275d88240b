/** One named piece of a source file: a function, a method, a class, a type, a constant. Offsets count UTF-16 units. */
export interface Definition {
  readonly name: string
  readonly kind: 'function' | 'type' | 'value'
  /** Where its first line begins, decorators and the comment above it included. */
  readonly start: number
  /** Where the part that is not signature begins; equal to `end` when there is no body. */
  readonly bodyStart: number
  readonly end: number
  /** Index in the same list of the definition around this one; -1 at the top level. */
  readonly parent: number
  readonly depth: number
}

/** A definition before its place among the others is known. */
export type FoundDefinition = Pick<Definition, 'name' | 'kind' | 'start' | 'bodyStart' | 'end'>

/** Sorts by place, drops what was found twice and tells each definition its parent. */
export function nestDefinitions(found: readonly FoundDefinition[]): Definition[] {
  const sorted = [...found].sort((a, b) => a.start - b.start || b.end - a.end)
  const nested: Definition[] = []
  const open: number[] = []
  for (const definition of sorted) {
    const last = nested.at(-1)
    if (last && last.start === definition.start && last.end === definition.end) continue
    while (open.length > 0 && nested[open[open.length - 1] ?? 0]!.end <= definition.start) open.pop()
    const parent = open.at(-1) ?? -1
    // "typedef struct node {…} node;": one thing, found twice.
    if (parent >= 0 && nested[parent]!.start === definition.start && nested[parent]!.name === definition.name)
      continue
    // Ranges that cross come from broken source; the outer one is trusted.
    if (parent >= 0 && definition.end > nested[parent]!.end) continue
    nested.push({ ...definition, parent, depth: open.length })
    open.push(nested.length - 1)
  }
  return nested
}
