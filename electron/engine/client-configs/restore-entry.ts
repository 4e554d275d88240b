import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../protocol/json-rpc.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ContainerEdit, Pair } from './formats/config-format.ts'
import type { ConfigPath } from './formats/config-node.ts'

/** Keeps later changes by others. */
export function restoreEntry(
  path: ConfigPath,
  { original, wrapped, current }: { original: JsonObject; wrapped: JsonObject; current: JsonObject },
): ContainerEdit {
  const replace = new Map<string, readonly Pair[]>()
  const added: Pair[] = []
  for (const key of new Set([...Object.keys(original), ...Object.keys(wrapped)])) {
    if (isDeepStrictEqual(original[key], wrapped[key]) && isIn(original, key) === isIn(wrapped, key)) continue
    const restored = restoreField(key, { original, wrapped, current })
    if (isIn(current, key)) replace.set(key, restored)
    else added.push(...restored)
  }
  const anchor = Object.keys(current).find((key) => replace.has(key)) ?? Object.keys(current).at(-1) ?? ''
  const beside: readonly Pair[] = replace.get(anchor) ?? [[anchor, current[anchor]]]
  if (added.length > 0) replace.set(anchor, [...beside, ...added])
  return { path, replace }
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
