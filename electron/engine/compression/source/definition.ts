/** Function, method, class, type, constant. Offsets in UTF-16 units. */
export interface Definition {
  readonly name: string
  readonly kind: 'function' | 'type' | 'value'
  /** Start of its first line, including decorators and the comment above. */
  readonly start: number
  /** Start of its own first line. */
  readonly signature: number
  /** End of the signature; `end` without body. */
  readonly bodyStart: number
  readonly end: number
  /** Index in the same list; -1 at top level. */
  readonly parent: number
  readonly depth: number
}

export type FoundDefinition = Pick<Definition, 'name' | 'kind' | 'start' | 'signature' | 'bodyStart' | 'end'>

/** Sorts by position, removes duplicates and sets parents. */
export function nestDefinitions(found: readonly FoundDefinition[]): Definition[] {
  const sorted = [...found].sort((a, b) => a.start - b.start || b.end - a.end)
  const nested: Definition[] = []
  const open: number[] = []
  for (const definition of sorted) {
    const last = nested.at(-1)
    if (last && last.start === definition.start && last.end === definition.end) continue
    while (open.length > 0 && nested[open[open.length - 1] ?? 0]!.end <= definition.start) open.pop()
    const parent = open.at(-1) ?? -1
    // "typedef struct node {…} node;": one definition, found twice.
    if (parent >= 0 && nested[parent]!.start === definition.start && nested[parent]!.name === definition.name)
      continue
    // Overlapping ranges come from broken source; the outer one wins.
    if (parent >= 0 && definition.end > nested[parent]!.end) continue
    nested.push({ ...definition, parent, depth: open.length })
    open.push(nested.length - 1)
  }
  return nested
}
