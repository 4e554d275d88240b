import { parsed } from './source.ts'
import type { Violation } from './violations.ts'

/** The scalar members of each printed object stand together in one object of the source. */
export function recordViolations(source: unknown, shown: unknown): Violation[] {
  const owners = new Map<string, Set<number>>()
  let id = 0
  const own = (members: readonly string[]): void => {
    id++
    for (const member of members) {
      const known = owners.get(member)
      if (known === undefined) owners.set(member, new Set([id]))
      else known.add(id)
    }
  }
  walk(source, own)
  rowsOf(source).forEach(own)
  const found: Violation[] = []
  walk(shown, (members) => {
    if (SERIES.test(members[0] ?? '')) return
    const whole = members.filter((member) => !member.includes('…'))
    const sets = whole.map((member) => owners.get(member)).sort((a, b) => (a?.size ?? 0) - (b?.size ?? 0))
    const [smallest, ...others] = sets
    if (whole.length === 0) return
    const isTogether =
      smallest !== undefined && [...smallest].some((one) => others.every((set) => set?.has(one)))
    if (!isTogether) found.push({ rule: 'record', detail: whole.join(', ').slice(0, 200) })
  })
  return found
}

/** A described series: its members are no object's. */
const SERIES = /^(?:numbers|points|dates): \d+$/

/** No object or line of members is printed without the member that names its record. */
export function unnamedViolations(body: string, columns: readonly string[], source: string): Violation[] {
  const [naming = '', ...others] = columns
  const lacksName = (members: readonly string[]) =>
    members.some((member) => others.some((name) => member.startsWith(`${name}: `))) &&
    !members.some((member) => member.startsWith(`${naming}: `))
  /** A map's key may be the record's name. */
  const isName = (key: string) =>
    [key, JSON.stringify(key)].some(
      (value) => source.includes(`"${naming}": ${value}`) || source.includes(`"${naming}":${value}`),
    )
  const found: Violation[] = []
  const say = (members: readonly string[]) =>
    found.push({ rule: 'name', detail: members.join(', ').slice(0, 200) })
  const shown = parsed(body)
  if (shown === undefined) {
    for (const line of body.split('\n').map((text) => text.split('; ')))
      if (line.length > 1 && lacksName(line)) say(line)
  } else {
    walk(shown, (members, key) => {
      if (lacksName(members) && !isName(key)) say(members)
    })
  }
  return found
}

/** Each list of scalars, or of objects with one, as an object with the names of each list of as many names. */
function rowsOf(source: unknown): string[][] {
  const lists = listsIn(source)
  const headers = lists.map((list) => list.map(nameOf)).filter((names) => !names.includes(undefined))
  const rows = lists.map((list) => list.map(scalarOf)).filter((row) => !row.includes(undefined))
  return rows.flatMap((row) =>
    headers
      .filter((names) => names.length === row.length)
      .map((names) => row.map((value, place) => `${names[place]}: ${JSON.stringify(value)}`)),
  )
}

function listsIn(root: unknown): unknown[][] {
  if (typeof root !== 'object' || root === null) return []
  const below = Object.values(root).flatMap(listsIn)
  return Array.isArray(root) && root.length > 1 ? [root, ...below] : below
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A column's, as it is written or in its description. */
function nameOf(column: unknown): string | undefined {
  if (typeof column === 'string') return column
  const name = isObject(column)
    ? Object.entries(column).find(([key]) => /name|label|title|^id$/i.test(key))
    : undefined
  return typeof name?.[1] === 'string' ? name[1] : undefined
}

/** Undefined for what is none. */
function scalarOf(cell: unknown): unknown {
  const [value, ...others] = isObject(cell) ? Object.values(cell) : [cell]
  return others.length > 0 || typeof value === 'object' ? (value === null ? value : undefined) : value
}

/** Every object's scalar members, as text, and its key. */
function walk(root: unknown, visit: (members: string[], key: string) => void): void {
  const open = [{ key: '', value: root }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { key: own, value } = next
    if (typeof value !== 'object' || value === null) continue
    const members: string[] = []
    for (const [key, child] of Object.entries(value) as [string, unknown][]) {
      if (typeof child === 'object' && child !== null) open.push({ key, value: child })
      else if (!Array.isArray(value)) members.push(`${key}: ${JSON.stringify(child)}`)
    }
    visit(members, own)
  }
}
