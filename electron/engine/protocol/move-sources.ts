import { sourceOf, mayHoldNotes } from './exact-json.ts'
import { SOURCES, setSources, type Noted } from './json-sources.ts'

/** Recursive, for another thread. */
export interface SourceTree {
  readonly written: readonly (readonly [key: string, text: string])[]
  readonly order: readonly string[] | undefined
  readonly inside: readonly (readonly [key: string, tree: SourceTree])[]
}

export function sourcesIn(value: unknown): SourceTree | undefined {
  if (!mayHoldNotes(value)) return undefined
  try {
    return treeOf(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function treeOf(value: unknown): SourceTree | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const sources = (value as Noted)[SOURCES]
  const written = [...(sources?.written.keys() ?? [])].flatMap((key): [string, string][] => {
    const text = sourceOf(value, key)
    return text === undefined ? [] : [[key, text]]
  })
  const inside = Object.entries(value).flatMap(([key, item]): [string, SourceTree][] => {
    const tree = treeOf(item)
    return tree ? [[key, tree]] : []
  })
  return sources || inside.length > 0 ? { written, order: sources?.order, inside } : undefined
}

export function placeSources(value: unknown, { written, order, inside }: SourceTree): void {
  if (typeof value !== 'object' || value === null) return
  const members = value as Record<string, unknown>
  const noted = written.map(([key, text]): [string, [unknown, string]] => [key, [members[key], text]])
  setSources(value, { written: new Map(noted), order })
  for (const [key, tree] of inside) placeSources(members[key], tree)
}
