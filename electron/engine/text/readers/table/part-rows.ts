/** What a way of printing adds to the values, in hundredths of a token. */
export interface PrintCosts {
  /** By column: its name and a sign. */
  readonly names: readonly number[]
  /** The mark of a cell that isn't chosen. */
  readonly cut: number
  /** The sign behind a cell that the source doesn't have. */
  readonly gap: number
  /** What parts two parts; undefined where nothing names the columns, so that a row says them by its place among all. */
  readonly part: number | undefined
}

/** Columns of a record, ascending. */
export interface Filled {
  readonly chosen: readonly number[]
  readonly given: ReadonlySet<number>
}

/** Records from `from` to before `to`, which are printed below one header. */
export interface Part {
  readonly from: number
  readonly to: number
  /** Ascending. */
  readonly columns: readonly number[]
  /** Each value is printed with its column's name instead. */
  readonly isNamed: boolean
}

/** Groups of records with the same columns that a part has at the most. */
const MOST_GROUPS = 300

interface Kind extends Filled {
  readonly named: number
}

interface Group {
  readonly kind: number
  readonly from: number
  readonly size: number
}

/** Whether a record among others of these columns is dearer with its holes than with its names. */
export const isNamedAmong = (columns: Iterable<number>, filled: Filled, costs: PrintCosts): boolean =>
  namedCost(filled, costs) < holesCost(columns, filled, costs)

const namedCost = ({ chosen, given }: Filled, { names, cut }: PrintCosts): number =>
  chosen.reduce((sum, column) => sum + (names[column] ?? 0), chosen.length < given.size ? cut : 0)

function holesCost(columns: Iterable<number>, { chosen, given }: Filled, { cut, gap }: PrintCosts): number {
  let width = 0
  let inside = 0
  for (const column of columns) {
    width++
    if (given.has(column)) inside++
  }
  return (inside - chosen.length) * cut + (width - inside) * gap
}

/** The cheapest parts, for records with few columns not to be as wide as one with many. */
export function partRows(records: readonly Filled[], costs: PrintCosts): Part[] {
  const { kinds, groups } = groupsOf(records, costs)
  const partOf = (from: number, to: number, isNamed: boolean): Part => {
    const columns = [...new Set(records.slice(from, to).flatMap(({ chosen }) => chosen))]
    return { from, to, columns: columns.sort((one, other) => one - other), isNamed }
  }
  if (costs.part === undefined) {
    const all = createPart(kinds, costs)
    for (const group of groups) all.add(group)
    return [partOf(0, records.length, all.asNamed() < all.asTable())]
  }
  const spent = [0]
  const starts: number[] = []
  const areNamed: boolean[] = []
  for (let end = 1; end <= groups.length; end++) {
    const part = createPart(kinds, costs)
    let least = Infinity
    for (let first = end - 1; first >= Math.max(0, end - MOST_GROUPS); first--) {
      part.add(groups[first] ?? { kind: 0, from: 0, size: 0 })
      const cost = costs.part + Math.min(part.asTable(), part.asNamed())
      // It only grows.
      if (cost > least) break
      if ((spent[first] ?? 0) + cost > least) continue
      least = (spent[first] ?? 0) + cost
      starts[end] = first
      areNamed[end] = part.asNamed() < part.asTable()
    }
    spent[end] = least
  }
  const parts: Part[] = []
  for (let end = groups.length, to = records.length; end > 0; end = starts[end] ?? 0) {
    const from = groups[starts[end] ?? 0]?.from ?? 0
    parts.push(partOf(from, to, areNamed[end] === true))
    to = from
  }
  return parts.reverse()
}

/** A part that grows. */
function createPart(kinds: readonly Kind[], costs: PrintCosts) {
  const isUsed = new Set<number>()
  const seen = new Map<number, { size: number; cost: number }>()
  let header = 0
  let rows = 0
  let named = 0
  const costOf = (kind: Kind): number => Math.min(kind.named, holesCost(isUsed, kind, costs))
  return {
    add({ kind, size }: Group): void {
      const added = kinds[kind] ?? { chosen: [], given: new Set(), named: 0 }
      named += size * added.named
      const known = seen.get(kind)
      if (known !== undefined) {
        known.size += size
        rows += size * known.cost
        return
      }
      const width = isUsed.size
      for (const column of added.chosen) {
        if (!isUsed.has(column)) header += costs.names[column] ?? 0
        isUsed.add(column)
      }
      if (isUsed.size > width) {
        rows = 0
        for (const [each, row] of seen) rows += row.size * (row.cost = costOf(kinds[each] ?? added))
      }
      const cost = costOf(added)
      seen.set(kind, { size, cost })
      rows += size * cost
    },
    asTable: () => header + rows,
    asNamed: () => named,
  }
}

function groupsOf(records: readonly Filled[], costs: PrintCosts): { kinds: Kind[]; groups: Group[] } {
  const kinds: Kind[] = []
  const known = new Map<string, number>()
  const groups: { kind: number; from: number; size: number }[] = []
  for (const [from, filled] of records.entries()) {
    const key = `${filled.chosen.join()};${[...filled.given].join()}`
    let kind = known.get(key)
    if (kind === undefined) {
      known.set(key, (kind = kinds.length))
      kinds.push({ ...filled, named: namedCost(filled, costs) })
    }
    const last = groups.at(-1)
    if (last?.kind === kind) last.size++
    else groups.push({ kind, from, size: 1 })
  }
  return { kinds, groups }
}
