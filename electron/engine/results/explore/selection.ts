import { isRecord } from '../../text/tree/json-values.ts'
import type { JsonPath } from '../../text/tree/places.ts'

export interface Selection {
  all: boolean
  readonly children: Map<string | number, Selection>
}

export const emptySelection = (): Selection => ({ all: false, children: new Map() })

export function mark(selection: Selection, place: JsonPath): void {
  let into = selection
  for (const key of place) {
    const known = into.children.get(key)
    const next = known ?? emptySelection()
    if (!known) into.children.set(key, next)
    into = next
  }
  into.all = true
}

export function keep(value: unknown, selection: Selection): unknown {
  if (selection.all) return value
  if (Array.isArray(value)) {
    const indexes = [...selection.children.keys()].toSorted((a, b) => Number(a) - Number(b))
    return indexes.map((index) =>
      keep(value[Number(index)], selection.children.get(index) ?? emptySelection()),
    )
  }
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value).flatMap((name): [string, unknown][] => {
      const inner = selection.children.get(name)
      return inner ? [[name, keep(value[name], inner)]] : []
    }),
  )
}

export function drop(value: unknown, selection: Selection): unknown {
  const isGone = (key: string | number) => selection.children.get(key)?.all === true
  const rest = (key: string | number, inner: unknown) => {
    const below = selection.children.get(key)
    return below ? drop(inner, below) : inner
  }
  if (Array.isArray(value)) {
    return value.flatMap((element: unknown, index): unknown[] =>
      isGone(index) ? [] : [rest(index, element)],
    )
  }
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, unknown][] =>
      isGone(name) ? [] : [[name, rest(name, inner)]],
    ),
  )
}
