import type { JsonObject } from '../protocol/json-rpc.ts'

/** Of the latest calls. */
const MOST = 2_000

/** The same call gets the same bytes, also when two hooks ask at once: that keeps the app's prompt cache valid. */
export function createGivenAnswers() {
  const given = new Map<string, Promise<JsonObject>>()
  return {
    once: (key: string, make: () => Promise<JsonObject>): Promise<JsonObject> => {
      const known = given.get(key)
      if (known) return known
      const made = make()
      given.set(key, made)
      const [oldest] = given.keys()
      if (given.size > MOST && oldest !== undefined) given.delete(oldest)
      return made
    },
  }
}
