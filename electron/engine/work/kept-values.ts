import { isJsonObject } from '../protocol/json-rpc.ts'
import type { Crossing, KeptPlace } from './crossing.ts'

/*
 * A worker parses a large result and does most work on it. It keeps the result briefly and later jobs refer to it,
 * which saves sending it again. Results are never changed in place.
 */

/** The next job on a result follows within moments. */
const KEPT_MS = 2_000
const MOST_KEPT = 2
/** A value with more members is itself a result. */
const MOST_MEMBERS = 8

function partToKeep(input: unknown, output: unknown): object | undefined {
  const value = isJsonObject(input) ? input['value'] : undefined
  if (isJsonObject(value)) return value
  const result = isJsonObject(output) ? output['result'] : undefined
  return isJsonObject(result) && Array.isArray(result['content']) ? result : undefined
}

export class KeptElsewhere<Keeper> {
  readonly #kept = new WeakMap<object, { readonly thread: Keeper; readonly id: number }>()

  note(input: unknown, output: unknown, thread: Keeper, id: number): void {
    const part = partToKeep(input, output)
    if (part) this.#kept.set(part, { thread, id })
  }

  /** The thread that may have the input or a member, and the input without it. */
  in(input: unknown): { readonly thread: Keeper; readonly crossing: Crossing } | undefined {
    for (const [key, part] of placesIn(input)) {
      const kept = this.#kept.get(part)
      if (!kept) continue
      const value = key === undefined ? undefined : { ...(input as object), [key]: undefined }
      return { thread: kept.thread, crossing: { value, kept: { id: kept.id, key } } }
    }
    return undefined
  }

  forget(input: unknown): void {
    for (const [, part] of placesIn(input)) this.#kept.delete(part)
  }
}

function placesIn(input: unknown): (readonly [key: string | undefined, part: object])[] {
  if (!isJsonObject(input)) return []
  const places: [string | undefined, object][] = [[undefined, input]]
  let members = 0
  for (const key in input) {
    if (++members > MOST_MEMBERS) break
    const member = input[key]
    if (isJsonObject(member)) places.push([key, member])
  }
  return places
}

export class KeptHere {
  readonly #kept = new Map<number, { readonly part: object; usedAt: number }>()
  #isWaiting = false

  keep(id: number, input: unknown, output: unknown): void {
    const part = partToKeep(input, output)
    if (!part) return
    for (const [other, kept] of this.#kept) if (kept.part === part) this.#kept.delete(other)
    this.#kept.set(id, { part, usedAt: performance.now() })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest)
    if (!this.#isWaiting) this.#letGoLater()
  }

  complete(input: unknown, { id, key }: KeptPlace): { readonly input: unknown } | undefined {
    const kept = this.#kept.get(id)
    if (!kept) return undefined
    kept.usedAt = performance.now()
    return { input: key === undefined ? kept.part : { ...(input as object), [key]: kept.part } }
  }

  #letGoLater(): void {
    this.#isWaiting = true
    setTimeout(() => {
      const since = performance.now() - KEPT_MS
      for (const [id, { usedAt }] of this.#kept) if (usedAt <= since) this.#kept.delete(id)
      if (this.#kept.size > 0) this.#letGoLater()
      else this.#isWaiting = false
    }, KEPT_MS).unref()
  }
}
