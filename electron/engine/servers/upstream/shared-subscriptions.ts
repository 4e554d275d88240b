import type { JsonObject } from '../../protocol/json-rpc.ts'

interface Subscription<Member> {
  readonly members: Set<Member>
  readonly answer: Promise<JsonObject>
}

/** The process sees the first subscription and the last removal. */
export class SharedSubscriptions<Member> {
  readonly #open = new Map<string, Subscription<Member>>()

  async add(member: Member, uri: string, subscribe: () => Promise<JsonObject>): Promise<JsonObject> {
    const known = this.#open.get(uri)
    if (known) {
      known.members.add(member)
      return known.answer
    }
    const subscription: Subscription<Member> = { members: new Set([member]), answer: subscribe() }
    this.#open.set(uri, subscription)
    try {
      return await subscription.answer
    } catch (error) {
      if (this.#open.get(uri) === subscription) this.#open.delete(uri)
      throw error
    }
  }

  async remove(member: Member, uri: string, unsubscribe: () => Promise<JsonObject>): Promise<JsonObject> {
    const known = this.#open.get(uri)
    if (!known?.members.delete(member)) return known ? {} : unsubscribe()
    if (known.members.size > 0) return {}
    this.#open.delete(uri)
    return unsubscribe()
  }

  /** Returns resources without subscribers. */
  leave(member: Member): string[] {
    const left = [...this.#open].filter(([, { members }]) => members.delete(member) && members.size === 0)
    for (const [uri] of left) this.#open.delete(uri)
    return left.map(([uri]) => uri)
  }

  /** Servers may report parts of a subscribed resource: then all subscribers are notified. */
  subscribersOf(uri: string): Member[] {
    const known = this.#open.get(uri)
    if (known) return [...known.members]
    return [...new Set([...this.#open.values()].flatMap(({ members }) => [...members]))]
  }
}
