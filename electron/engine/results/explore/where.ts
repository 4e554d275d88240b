import { valuesAt } from './condition.ts'
import type { Condition } from './condition.ts'
import { isRecord } from './parse-data.ts'

/**
 * Applies a condition that stands on its own to the lists it can mean: the outermost ones whose elements have one of its
 * fields. `keepMatching` false drops what meets it instead. `lists` is how many such lists were found.
 */
export function whereElements(
  value: unknown,
  condition: Condition,
  keepMatching: boolean,
): { value: unknown; lists: number; matched: number; of: number } {
  const seen = { lists: 0, matched: 0, of: 0 }
  const walk = (inner: unknown): unknown => {
    if (Array.isArray(inner)) {
      if (!inner.some((element) => isMeant(element, condition))) return inner.map(walk)
      const kept = inner.filter((element) => condition.test(element) === keepMatching)
      seen.lists++
      seen.of += inner.length
      seen.matched += keepMatching ? kept.length : inner.length - kept.length
      return kept
    }
    if (!isRecord(inner)) return inner
    return Object.fromEntries(
      Object.entries(inner).map(([name, below]): [string, unknown] => [name, walk(below)]),
    )
  }
  return { value: walk(value), ...seen }
}

/** `@` alone (no keys) looks at elements that are no objects. */
const isMeant = (element: unknown, condition: Condition): boolean =>
  condition.fields.some((keys) =>
    keys.length === 0
      ? !isRecord(element) && !Array.isArray(element)
      : isRecord(element) && valuesAt(element, keys).length > 0,
  )
