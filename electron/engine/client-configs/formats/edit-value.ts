import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { ContainerEdit, Pair } from './config-format.ts'
import type { ConfigPath } from './config-node.ts'

/** Expected content of the edited file. */
export function editValue(value: unknown, edits: readonly ContainerEdit[]): unknown {
  const inOrder = edits.toSorted((a, b) => b.path.length - a.path.length)
  return inOrder.reduce(
    (rest, edit) => at(rest, edit.path, (container) => editContainer(container, edit)),
    value,
  )
}

function at(value: unknown, path: ConfigPath, change: (value: unknown) => unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return change(value)
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === key ? at(item, rest, change) : item))
  }
  return fromPairs(
    Object.entries(value ?? {}).map(([name, item]): Pair => [
      name,
      name === String(key) ? at(item, rest, change) : item,
    ]),
  )
}

function editContainer(container: unknown, { replace, after, append = [] }: ContainerEdit): unknown {
  if (Array.isArray(container)) {
    const kept = container.filter((_, index) => replace?.get(index)?.length !== 0)
    return [...kept, ...append.map(([, item]) => item)]
  }
  const pairs = Object.entries(container ?? {}).flatMap((pair): readonly Pair[] => [
    ...(replace?.get(pair[0]) ?? [pair]),
    ...(after?.get(pair[0]) ?? []),
  ])
  return fromPairs([...pairs, ...append])
}

/** Supports a key named `__proto__`. */
export function fromPairs(pairs: readonly Pair[]): JsonObject {
  const object: JsonObject = {}
  for (const [key, value] of pairs) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return object
}
