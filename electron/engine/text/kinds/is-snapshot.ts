import { isSnapshotProperty, snapshotLines, snapshotNode } from '../blocks/snapshot-units.ts'

const LEAST_NODES = 6
const LEAST_ROLES = 3

/** An accessibility tree of a browser: most lines are a role with a name or a reference. */
export function isSnapshot(source: readonly string[]): boolean {
  const lines = snapshotLines(source)
  const roles = new Set<string>()
  let nodes = 0
  let marked = 0
  for (const line of lines) {
    const node = snapshotNode(line)
    if (node === undefined) {
      if (isSnapshotProperty(line)) nodes++
      continue
    }
    nodes++
    roles.add(node.role)
    if (/"|\[(?:ref|level|cursor|\d)|uid=|<\w/.test(line)) marked++
  }
  return (
    nodes >= LEAST_NODES && nodes > 0.6 * lines.length && roles.size >= LEAST_ROLES && marked > 0.25 * nodes
  )
}
