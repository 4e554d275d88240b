import type { DocumentUnit } from './make-units.ts'

/** Roles of WAI-ARIA that a user acts on, of any writing: `button`, `<button`, `uid=1_2 button`. */
const INTERACTIVE = new Set(
  'a button checkbox combobox gridcell input link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox select slider spinbutton switch tab textarea textbox treeitem'.split(
    ' ',
  ),
)
const OTHERS = new Set(
  'alert alertdialog application article banner blockquote caption cell code columnheader complementary contentinfo definition deletion dialog document emphasis feed figure form generic grid group heading iframe image img insertion label labeltext linebreak list listitem listmarker log main mark math menu menubar meter navigation none note paragraph presentation progressbar radiogroup region rootwebarea row rowgroup rowheader search separator statictext status strong subscript superscript table tablist tabpanel term text time timer toolbar tooltip tree treegrid'.split(
    ' ',
  ),
)

/** Indentation, list sign or identifier, role, rest. */
const NODE =
  /^(\s*)(?:[-*] )?['"]?(?:(?:uid|ref|id)=\S+ |\[\w+\] ?)?<?([A-Za-z]{1,20})(?=[\s:>"'[/]|$)(?! *=)(.*)$/s
/** A text with its identifier only, as chrome-devtools-mcp prints it. */
const TEXT_NODE = /^(\s*)uid=\S+ (".*)$/s
const PROPERTY = /^\s*- \/[\w-]+:/

export interface SnapshotNode {
  readonly line: string
  readonly indent: number
  readonly role: string
  /** Name and text, without role, states and reference. */
  readonly name: string
  readonly isInteractive: boolean
}

/** A line of a browser's accessibility tree; undefined for others. */
export function snapshotNode(line: string): SnapshotNode | undefined {
  const text = TEXT_NODE.exec(line)
  const match = text === null ? NODE.exec(line) : [line, text[1], 'statictext', text[2]]
  const role = match?.[2]?.toLowerCase() ?? ''
  const isInteractive = INTERACTIVE.has(role)
  if (match === null || !(isInteractive || OTHERS.has(role))) return undefined
  const rest = (match[3] ?? '').replaceAll(/\[[\w-]+(?:=[^\]]*)?\]|\b(?:url|ref|uid)="?\S+/g, ' ')
  const name = rest.replaceAll(/[^\p{L}\p{N}$€£%.,-]+/gu, ' ').trim()
  const isPointed = line.includes('[cursor=pointer]')
  return { line, indent: match[1]?.length ?? 0, role, name, isInteractive: isInteractive || isPointed }
}

/** Longest name of a node, in lines. */
const MOST_LINES = 20
const hasOpenQuote = (line: string): boolean => (line.match(/"/g) ?? []).length % 2 === 1

/** The lines of a tree, those whose quoted names hold line breaks in one. */
export function snapshotLines(lines: readonly string[]): string[] {
  const joined: string[] = []
  for (let from = 0, to = 0; from < lines.length; from = to) {
    to = from + 1
    const first = lines[from] ?? ''
    if (hasOpenQuote(first) && snapshotNode(first) !== undefined)
      to = closedAt(lines, from) ?? endOfText(lines, from)
    joined.push(lines.slice(from, to).join('\n'))
  }
  return joined
}

/** Names behind `uid=` are written as they are: one may hold what looks like a node, with a quote of its own behind it. */
function closedAt(lines: readonly string[], from: number): number | undefined {
  if (!UNESCAPED.test(lines[from] ?? '')) return undefined
  for (let line = from + 1; line < Math.min(lines.length, from + MOST_LINES); line++)
    if (hasOpenQuote(lines[line] ?? '')) return line + 1
  return undefined
}

/** Before the next node, or where the quotes are closed. */
function endOfText(lines: readonly string[], from: number): number {
  let quotes = 1
  let end = from + 1
  for (; end < Math.min(lines.length, from + MOST_LINES) && quotes % 2 === 1; end++) {
    if (BEGINS.test(lines[end] ?? '')) break
    quotes += hasOpenQuote(lines[end] ?? '') ? 1 : 0
  }
  return end
}

/** A name with one quote, at its start. */
const UNESCAPED = /^\s*uid=\S+ (?:\w+ )?"[^"]*$/
/** An identifier, a list sign or a tag. */
const BEGINS = /^\s*(?:uid=|[-*] |\[\w+\]|<\w)/

export const isSnapshotProperty = (line: string): boolean => PROPERTY.test(line)

export interface SnapshotUnits {
  readonly units: readonly DocumentUnit[]
  readonly nodes: readonly (SnapshotNode | undefined)[]
  /** Characters that equal nodes share: role and place. */
  readonly shapes: readonly string[]
  /** The innermost list item, row or article around each, by a number; -1 for none. */
  readonly items: readonly number[]
  readonly facts: readonly ItemFact[]
}

/** A named node of an item, also one that its row's name repeats. */
export interface ItemFact {
  /** Equal for the same place in other items. */
  readonly place: string
  readonly name: string
  /** Its column's header; '' without. */
  readonly label: string
  /** What prints it. */
  readonly unit: number
}

const ITEMS = new Set(['listitem', 'row', 'article', 'li', 'tr'])

interface Open {
  readonly indent: number
  readonly role: string
  /** -1 for a wrapper without a unit. */
  readonly unit: number
  /** Latest heading inside. */
  heading: number
  readonly item: number
  /** Of a table: its columns' headers. */
  readonly headers: string[]
  /** Of an item: how often each place is in it. */
  readonly places: Map<string, number>
}

/**
 * A unit for each node with a name or something to act on, its address included; wrappers that repeat their only
 * child or have no name are none. A unit needs the named nodes around it and the heading above.
 */
export function snapshotUnits(text: string, withAddresses: boolean): SnapshotUnits {
  const units: DocumentUnit[] = []
  const nodes: (SnapshotNode | undefined)[] = []
  const shapes: string[] = []
  const items: number[] = []
  const facts: ItemFact[] = []
  const lines = snapshotLines(text.split('\n'))
  const parsed = lines.map(snapshotNode)
  const open: Open[] = [opened(-1, '', -1, -1)]
  const add = (unit: Pick<DocumentUnit, 'text' | 'role' | 'needs' | 'level'>, node?: SnapshotNode) => {
    const shape = open.map(({ role }) => role).join('/')
    shapes.push(`${shape}/${node?.role ?? ''}`)
    nodes.push(node)
    items.push(node !== undefined && ITEMS.has(node.role) ? items.length : (open.at(-1)?.item ?? -1))
    return (
      units.push({
        ...unit,
        group: open.length === 1 ? units.length : (open.at(-1)?.heading ?? 0),
        isAside: false,
      }) - 1
    )
  }
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue
    const node = parsed[i]
    if (node === undefined) {
      if (isSnapshotProperty(line)) {
        const last = units.at(-1)
        if (withAddresses && last !== undefined && nodes.at(-1) === parsed[i - 1])
          units[units.length - 1] = { ...last, text: `${last.text}\n${line}` }
      } else add({ text: line, role: 'sentence', needs: [], level: 0 })
      continue
    }
    while ((open.at(-1)?.indent ?? -1) >= node.indent) open.pop()
    const named = open.flatMap(({ unit, heading }) => [unit, heading]).filter((unit) => unit >= 0)
    const needs = [...new Set(named)].slice(-NEEDED).reverse()
    const isFolded =
      (node.name === '' && !node.isInteractive) ||
      repeatsChild(parsed, lines, i) ||
      repeats(nodes[needs[0] ?? -1], node)
    const isHeading = node.role === 'heading'
    const unit = isFolded
      ? -1
      : add(
          {
            text: line.trimEnd(),
            role: isHeading ? 'heading' : 'sentence',
            needs,
            level: isHeading ? levelOf(line) : 0,
          },
          node,
        )
    const isItem = ITEMS.has(node.role)
    if (node.role === 'columnheader') open.findLast(({ role }) => TABLES.has(role))?.headers.push(node.name)
    else if (!isItem) noteFact(facts, open, node, unit >= 0 ? unit : (needs[0] ?? -1))
    if (isHeading && unit >= 0) for (const each of open) each.heading = unit
    // Folded items have no unit: the next one's number is theirs.
    const item = isItem ? (unit >= 0 ? unit : units.length) : (open.at(-1)?.item ?? -1)
    const isPart = !isHeading && node.role !== 'rootwebarea'
    open.push(opened(node.indent, node.role, isPart ? unit : -1, item))
  }
  return {
    units: withStates(withTitles(units, nodes, shapes, items), nodes, shapes, items),
    nodes,
    shapes,
    items,
    facts,
  }
}

const opened = (indent: number, role: string, unit: number, item: number): Open => ({
  indent,
  role,
  unit,
  heading: -1,
  item,
  headers: [],
  places: new Map(),
})

const TABLES = new Set(['table', 'grid', 'treegrid'])

function noteFact(facts: ItemFact[], open: readonly Open[], node: SnapshotNode, unit: number): void {
  const item = open.findLast(({ role }) => ITEMS.has(role))
  if (item === undefined || unit < 0) return
  const shape = `${open.map(({ role }) => role).join('/')}/${node.role}`
  const column = item.places.get(shape) ?? 0
  item.places.set(shape, column + 1)
  if (node.name === '') return
  const headers = open.findLast(({ role }) => TABLES.has(role))?.headers ?? []
  const label = CELLS.has(node.role) ? (headers[column] ?? '') : ''
  facts.push({ place: `${shape} ${column}`, name: node.name, label, unit })
}

const CELLS = new Set(['cell', 'gridcell'])

function withStates(
  units: readonly DocumentUnit[],
  nodes: readonly (SnapshotNode | undefined)[],
  shapes: readonly string[],
  items: readonly number[],
): DocumentUnit[] {
  const states = new Set<number>()
  for (const equal of Map.groupBy(items.keys(), (i) => shapes[i] ?? '').values()) {
    const inItems = equal.filter((i) => items[i] !== -1)
    const byForm = Map.groupBy(inItems, (i) => (nodes[i]?.name ?? '').replace(/\d+/g, '0'))
    for (const alike of byForm.values())
      if (alike.length * 2 < inItems.length) for (const i of alike) states.add(i)
  }
  return units.map((unit, i) => (states.has(i) ? { ...unit, isState: true } : unit))
}

/** Each node of an item needs the item's title, too: its first name that differs from item to item. */
function withTitles(
  units: readonly DocumentUnit[],
  nodes: readonly (SnapshotNode | undefined)[],
  shapes: readonly string[],
  items: readonly number[],
): DocumentUnit[] {
  const isInside = (i: number): boolean =>
    items[i] !== -1 && !ITEMS.has(nodes[i]?.role ?? '') && (nodes[i]?.name ?? '') !== ''
  const inside = [...units.keys()].filter(isInside)
  const isTitle = new Map<string, boolean>()
  for (const [shape, equal] of Map.groupBy(inside, (i) => shapes[i] ?? ''))
    isTitle.set(shape, new Set(equal.map((i) => nodes[i]?.name)).size * 2 > equal.length)
  const titles = new Map<number, number>()
  for (const i of inside) {
    const item = items[i] ?? -1
    if (!titles.has(item) && isTitle.get(shapes[i] ?? '') === true) titles.set(item, i)
  }
  return units.map((unit, i) => {
    const title = titles.get(items[i] ?? -1)
    if (title === undefined || title === i || unit.needs.includes(title)) return unit
    return { ...unit, needs: [title, ...unit.needs].slice(0, NEEDED) }
  })
}

/** Innermost named nodes that are printed with a unit. */
const NEEDED = 3

const levelOf = (line: string): number => Number(/level="?=?(\d)/.exec(line)?.[1] ?? 2)

/** A text that its named parent has said. */
const repeats = (parent: SnapshotNode | undefined, node: SnapshotNode): boolean =>
  parent !== undefined &&
  !node.isInteractive &&
  parent.name !== '' &&
  ` ${parent.name} `.includes(` ${node.name} `)

/** A heading or list item around one link of the same name: what can be acted on is printed. */
function repeatsChild(
  parsed: readonly (SnapshotNode | undefined)[],
  lines: readonly string[],
  i: number,
): boolean {
  const node = parsed[i]
  if (node === undefined || node.isInteractive || node.role === 'heading') return false
  let next = i + 1
  while (next < lines.length && isSnapshotProperty(lines[next] ?? '')) next++
  const child = parsed[next]
  return child !== undefined && child.indent > node.indent && child.name === node.name && child.isInteractive
}
