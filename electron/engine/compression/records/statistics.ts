import type { Columns } from '../../text/tree/columns.ts'
import { labelOf, lengthOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { endOf, isContainer, NODE, kindOf, valueOf } from '../../text/tree/json-document.ts'
import { countTokens } from '../../text/tokens/count-tokens.ts'
import { groupDigits } from '../group-digits.ts'
import { isCounter, isNamingNumber } from './extremes.ts'
import { excerptsIn, isAdditive } from './sums.ts'
import { depthsOf } from './list-keys.ts'
import { measureLeaves } from './measure-leaves.ts'
import { recordsByPath } from './naming.ts'
import { valueHash } from './value-hash.ts'

const FEWEST = 3
/** More values are not all listed, and not counted. */
const MOST_VALUES = 12
const MOST_LISTED = 6
/** Where the counts are what is asked for. */
const MOST_ASKED = 40
const MOST_DISTINCT = 100
const RANKS = { values: 2, numbers: 1.5, dates: 1.2, commonest: 1.1, one: 1.15 } as const
const LONGEST = 40
/** Least share of the records that have a described field. */
const PRESENT = 0.5
/** Lists of records that are described. */
const MOST_LISTS = 4

/**
 * What is true of all records: how many, the values of small columns with counts, least, largest and sum of numbers.
 * At most `budget` tokens; '' when there is nothing to say. `wants` chooses columns.
 */
export function statisticsOf(
  leaves: JsonLeaves,
  columns: Columns,
  budget: number,
  wants: (path: number) => boolean,
  isAsked = false,
): string {
  const depths = depthsOf(leaves.pathParents)
  const order = [...recordsByPath(leaves)]
    .filter(([, count]) => count >= FEWEST)
    .sort((a, b) => depths[a[0]]! - depths[b[0]]! || b[1] - a[1] || a[0] - b[0])
  const parts: string[] = []
  const excerpts = excerptsIn(leaves)
  const holding = pathsOfContainers(leaves)
  let left = budget
  for (const [list, count] of order.slice(0, MOST_LISTS)) {
    if (excerpts.has(list)) continue
    const facts: { text: string; rank: number }[] = []
    const known = new Set<string>()
    for (let path = list + 1; path < leaves.pathCount; path++) {
      const name = nameWithin(leaves, path, list)
      if (name === undefined || !wants(path)) continue
      const fact = describeColumn(leaves, columns.of(path), holding.has(path) ? 0 : count, isAsked)
      if (fact === undefined || known.has(fact.text)) continue
      known.add(fact.text)
      facts.push({ text: `${name}: ${fact.text}`, rank: fact.rank })
    }
    facts.sort((a, b) => b.rank - a.rank)
    let listed = ''
    const head = `${nameOf(leaves, list)} ${groupDigits(count)}`
    left -= countTokens(head) + 2
    for (const { text } of facts) {
      const cost = countTokens(text) + 1
      if (cost > left) continue
      left -= cost
      listed += `${listed === '' ? '' : '; '}${text}`
    }
    if (listed !== '') parts.push(`${head} (${listed})`)
    if (left <= 0) break
  }
  return parts.length === 0 ? '' : `Of all: ${parts.join(', ')}`
}

/** Where objects and lists with values are: what has one there does not lack the field. */
function pathsOfContainers({ document, paths }: JsonLeaves): ReadonlySet<number> {
  const found = new Set<number>()
  for (let node = document.root; node < document.count; node++)
    if (isContainer(document, node) && endOf(document, node) > node + 1) found.add(paths[node] ?? 0)
  return found
}

/** `records`: how many may have the field, 0 where that isn't known. */
function describeColumn(
  leaves: JsonLeaves,
  column: Int32Array,
  records: number,
  isAsked: boolean,
): { readonly text: string; readonly rank: number } | undefined {
  if (column.length < Math.max(FEWEST, PRESENT * records)) return undefined
  const counted = countValues(leaves, column, records, isAsked ? MOST_ASKED : MOST_VALUES)
  if (counted !== undefined && counted.rank > RANKS.commonest) return counted
  return describeNumbers(leaves, column) ?? counted
}

/** The values of a column that repeats them, the commonest first. */
function countValues(leaves: JsonLeaves, column: Int32Array, records: number, most: number) {
  const { document } = leaves
  const values = new Map<number, { node: number; count: number }>()
  for (const leaf of column) {
    const node = leaves.nodes[leaf] ?? 0
    if (isContainer(document, node) || lengthOf(leaves, leaf) > LONGEST) return undefined
    if (document.text.startsWith('http', (document.starts[node] ?? 0) + 1)) return undefined
    const hash = valueHash(document, node)
    const known = values.get(hash)
    if (known !== undefined) known.count++
    else if (values.size === MOST_DISTINCT) return undefined
    else values.set(hash, { node, count: 1 })
  }
  const missing = Math.max(0, records - column.length)
  if (column.length < 2 * values.size || (values.size < 2 && missing === 0)) return undefined
  const counted = [...values.values()].sort((a, b) => b.count - a.count || a.node - b.node)
  const listed = counted.length <= most ? counted : counted.slice(0, MOST_LISTED)
  const write = (node: number): string =>
    kindOf(document, node) === NODE.null ? 'null' : valueOf(document, node) || '""'
  const words = listed.map(({ node, count }) => `${write(node)} ${groupDigits(count)}`)
  if (listed.length < counted.length) words.push(`${groupDigits(counted.length - listed.length)} others`)
  if (missing > 0) words.push(`none ${groupDigits(missing)}`)
  const rank =
    counted.length === 1
      ? RANKS.one
      : counted.length <= MOST_VALUES
        ? RANKS.values - counted.length / 20
        : RANKS.commonest
  return { text: words.join(', '), rank }
}

function describeNumbers(leaves: JsonLeaves, column: Int32Array) {
  const measured = measureLeaves(leaves, column)
  if (measured === undefined) return undefined
  const { kind, values } = measured
  const path = leaves.paths[leaves.nodes[column[0] ?? 0] ?? 0] ?? 0
  if (isNamingNumber(leaves, path) || isCounter(values)) return undefined
  let least = -1
  let most = -1
  let sum = 0
  let decimals = 0
  for (let place = 0; place < values.length; place++) {
    const value = values[place]!
    if (Number.isNaN(value)) continue
    if (least < 0 || value < values[least]!) least = place
    if (most < 0 || value > values[most]!) most = place
    sum += value
    decimals = Math.max(decimals, decimalsOf(value))
  }
  if (least < 0 || values[least] === values[most]) return undefined
  const textAt = (place: number): string =>
    valueOf(leaves.document, leaves.nodes[column[place] ?? 0] ?? 0).trim()
  const isPlain = kind === 'number' && [least, most].every((place) => String(values[place]) === textAt(place))
  if (kind === 'number' && !isPlain) return undefined
  const total =
    isPlain && isAdditive(labelOf(leaves, path), values, sum) && Math.abs(sum) < Number.MAX_SAFE_INTEGER
      ? `, sum ${sum.toFixed(Math.min(decimals, 6))}`
      : ''
  return {
    text: `${textAt(least)} to ${textAt(most)}${total}`,
    rank: kind === 'date' ? RANKS.dates : RANKS.numbers,
  }
}

function decimalsOf(value: number): number {
  if (Number.isInteger(value)) return 0
  const text = String(value)
  const point = text.indexOf('.')
  return point < 0 || text.includes('e') ? 0 : text.length - point - 1
}

/** A path's last name as the text has it; undefined for a column without one. */
function columnNameAt({ document, pathNames, pathKeys }: JsonLeaves, path: number): string | undefined {
  const key = pathKeys[path] ?? -1
  const listed = key < 0 ? undefined : document.shownNames?.get(key)
  return listed === undefined ? pathNames[path] : listed === '' ? undefined : listed
}

/** "metadata.labels.app"; undefined outside of the list's own fields. */
function nameWithin(leaves: JsonLeaves, path: number, list: number): string | undefined {
  let name = ''
  for (let at = path; at !== list; at = leaves.pathParents[at] ?? -1) {
    if (at <= list) return undefined
    const own = columnNameAt(leaves, at)
    if (own === undefined || leaves.pathKeys[at] === -1) return undefined
    name = name === '' ? own : `${own}.${name}`
  }
  return name
}

function nameOf(leaves: JsonLeaves, list: number): string {
  for (let at = list; at > 0; at = leaves.pathParents[at] ?? 0) {
    const name = columnNameAt(leaves, at)
    if (name !== undefined && name !== '') return name
  }
  return 'records'
}
