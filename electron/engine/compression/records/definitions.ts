import { labelOf, pathOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'

/** "${name}", "$(name)", "{{ .values.name }}", "%(name)s": a value that is said elsewhere. */
const REFERENCE = /[$%#]\{\{?\s*([\w.-]+)\s*\}|[$%]\(([\w.-]+)\)|\{\{\s*\.?([\w.-]+)\s*\}\}/g
const LONGEST = 400
const MOST = 3

/** By leaf: the leaves whose names it refers to. Names of several leaves are no definition. */
export function findDefinitions(leaves: JsonLeaves): (leaf: number) => readonly number[] {
  const { document, nodes } = leaves
  if (!/[$%#{][({]/.test(document.text)) return () => []
  let byName: Map<string, number> | undefined
  return (leaf) => {
    const start = document.starts[nodes[leaf] ?? 0] ?? 0
    const stop = document.stops[nodes[leaf] ?? 0] ?? 0
    if (stop - start > LONGEST) return []
    const found: number[] = []
    for (const [, braced, bracketed, doubled] of document.text.slice(start, stop).matchAll(REFERENCE)) {
      byName ??= namesOf(leaves)
      const name = braced ?? bracketed ?? doubled ?? ''
      const definition = byName.get(name) ?? byName.get(name.slice(name.lastIndexOf('.') + 1)) ?? -1
      if (definition >= 0 && definition !== leaf) found.push(definition)
      if (found.length === MOST) break
    }
    return found
  }
}

function namesOf(leaves: JsonLeaves): Map<string, number> {
  const names = new Map<string, number>()
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const name = labelOf(leaves, pathOf(leaves, leaf))
    if (name !== '') names.set(name, names.has(name) ? -1 : leaf)
  }
  return names
}
