import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../protocol/json-rpc.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ContainerEdit, Pair } from './formats/config-format.ts'
import type { ConfigPath } from './formats/config-node.ts'

/** Keeps later changes by others, and the original's order of fields. */
export function restoreEntry(
  path: ConfigPath,
  { original, wrapped, current }: Versions,
  isToml: boolean,
): ContainerEdit {
  const replace = new Map<string, readonly Pair[]>()
  const added: Pair[] = []
  for (const key of new Set([...Object.keys(original), ...Object.keys(wrapped)])) {
    if (isDeepStrictEqual(original[key], wrapped[key]) && isIn(original, key) === isIn(wrapped, key)) continue
    const restored = restoreField(key, { original, wrapped, current })
    if (isIn(current, key)) replace.set(key, restored)
    else added.push(...restored)
  }
  const after = new Map<string, readonly Pair[]>()
  const leading: Pair[] = []
  const order = Object.keys(original)
  for (const pair of added) {
    const preceding = order.slice(0, order.indexOf(pair[0]))
    // Behind a TOML table it would be the table's.
    const place = preceding.findLast((key) => isIn(current, key) && !(isToml && isJsonObject(current[key])))
    if (place === undefined) leading.push(pair)
    else after.set(place, [...(after.get(place) ?? []), pair])
  }
  if (leading.length > 0) {
    const keys = Object.keys(current)
    const first = keys.find((key) => replace.get(key)?.length === 0) ?? keys[0] ?? ''
    replace.set(first, [...leading, ...(replace.get(first) ?? [[first, current[first]]])])
  }
  return { path, replace, after }
}

interface Versions {
  readonly original: JsonObject
  readonly wrapped: JsonObject
  readonly current: JsonObject
}

function restoreField(key: string, { original, wrapped, current }: Versions): readonly Pair[] {
  const [before, put, now] = [original[key], wrapped[key], current[key]]
  // Added to ours, or set where we left none.
  const strangers = isJsonObject(now)
    ? Object.entries(now).filter(
        ([name, value]) => !isJsonObject(put) || !isDeepStrictEqual(put[name], value),
      )
    : []
  if (isJsonObject(before) && strangers.length > 0) {
    return [[key, { ...before, ...Object.fromEntries(strangers) }]]
  }
  if (isIn(original, key)) return [[key, before]]
  return strangers.length > 0 ? [[key, Object.fromEntries(strangers)]] : []
}

const isIn = (object: JsonObject, key: string): boolean => Object.hasOwn(object, key)
