export interface TreeNode {
  /** Of the entry in its object or array; empty for the whole. */
  readonly key: string
  /** Of a leaf, as JSON; of others how they begin. */
  readonly text: string
  /** Undefined for a leaf. */
  readonly children: readonly TreeNode[] | undefined
  /** 1-based, of the text indented by two spaces. */
  readonly fromLine: number
  readonly toLine: number
}

/** Nodes whose name or value has the text, in order; ignores case. */
export function findNodes(tree: TreeNode, wanted: string): TreeNode[] {
  const searched = wanted.toLowerCase()
  const found: TreeNode[] = []
  const look = (node: TreeNode): void => {
    const texts = node.children ? [node.key] : [node.key, node.text]
    if (texts.some((text) => text.toLowerCase().includes(searched))) found.push(node)
    node.children?.forEach(look)
  }
  if (searched !== '') look(tree)
  return found
}

const FEW_LEAVES = 3
const LONGEST_TEXT = 160
const firstLeaves = (children: readonly TreeNode[], isList: boolean): string =>
  children
    .filter((child) => child.children === undefined)
    .slice(0, FEW_LEAVES)
    .map(({ key, text }) => (isList ? text : `${key}: ${text}`))
    .join(', ')

/** Deeper or larger trees are shown as text. */
const MOST_NODES = 50_000
const DEEPEST = 100

/**
 * The tree of a JSON text, its lines those of the text indented by two spaces. Undefined for other texts, and where the
 * text's own lines are others.
 */
export function jsonTree(text: string): TreeNode | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const isOneLine = !text.trim().includes('\n')
  if (!isOneLine && JSON.stringify(value, undefined, 2) !== text.trim()) return undefined
  let nodes = 0
  const read = (key: string, of: unknown, fromLine: number, depth: number): TreeNode | undefined => {
    if (++nodes > MOST_NODES || depth > DEEPEST) return undefined
    const isList = Array.isArray(of)
    const entries = typeof of === 'object' && of !== null ? Object.entries(of) : []
    if (entries.length === 0)
      return { key, text: JSON.stringify(of), children: undefined, fromLine, toLine: fromLine }
    const children: TreeNode[] = []
    let line = fromLine + 1
    for (const [name, item] of entries) {
      const child = read(name, item, line, depth + 1)
      if (!child) return undefined
      children.push(child)
      line = child.toLine + 1
    }
    const count = isList ? `[${entries.length}]` : `{${entries.length}}`
    const text = `${count} ${firstLeaves(children, isList)}`.trim().slice(0, LONGEST_TEXT)
    return { key, text, children, fromLine, toLine: line }
  }
  return read('', value, 1, 0)
}
