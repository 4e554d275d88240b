import { parsed } from './source.ts'
import type { Violation } from './violations.ts'

/** The scalar members of each printed object stand together in one object of the source. */
export function recordViolations(source: unknown, shown: unknown): Violation[] {
  const owners = new Map<string, Set<number>>()
  let id = 0
  walk(source, (members) => {
    id++
    for (const member of members) {
      const known = owners.get(member)
      if (known === undefined) owners.set(member, new Set([id]))
      else known.add(id)
    }
  })
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
