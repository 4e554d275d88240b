import { NODE } from '../tree/json-document.ts'
import type { JsonDocument } from '../tree/json-document.ts'

const FIRST_NODES = 1 << 10
/** Characters that tell how dense a text's nodes are, and what is added to the estimate. */
const LEAST_SEEN = 1000
const FORESEEN = 1.1

/** Collects a document's nodes in source order. Node 0 has several values; it isn't used for one. */
export class TreeBuilder {
  readonly text: string
  count = 0
  /** By node: where its own words begin (key, dash, opening tag). */
  heads = new Int32Array(FIRST_NODES)
  /** Containers written in brackets, maybe on one line. */
  readonly flows = new Set<number>()
  #kinds = new Uint8Array(FIRST_NODES)
  #parents = new Int32Array(FIRST_NODES)
  #ends = new Int32Array(FIRST_NODES)
  #starts = new Int32Array(FIRST_NODES)
  #stops = new Int32Array(FIRST_NODES)
  #keys = new Int32Array(FIRST_NODES)
  readonly #names: string[] = []
  readonly #ids = new Map<string, number>()
  readonly #saidNames = new Map<number, string>()
  readonly #values = new Map<number, string>()
  #open = 0
  #topValues = 0

  constructor(text: string) {
    this.text = text
    this.#add(NODE.array, -1, 0, 0)
    this.#parents[0] = -1
  }

  /** The innermost open container; 0 outside of values. */
  get container(): number {
    return this.#open
  }

  keyId(name: string): number {
    let id = this.#ids.get(name)
    if (id === undefined) {
      id = this.#names.length
      this.#names.push(name)
      this.#ids.set(name, id)
    }
    return id
  }

  /** Of a key that isn't in the text: what the text says, '' for nothing. */
  setShownName(key: number, shownName: string): void {
    this.#saidNames.set(key, shownName)
  }

  /** An object or array in the open container; `key` is -1 in arrays. */
  begin(kind: number, key: number, start: number, head = start): number {
    const node = this.#add(kind, key, start, head)
    this.#open = node
    return node
  }

  /** Ends the open container. */
  end(stop: number): void {
    const node = this.#open
    this.#ends[node] = this.count
    this.#stops[node] = stop
    this.#open = this.#parents[node]!
  }

  leaf(kind: number, key: number, start: number, stop: number, head = start): number {
    const node = this.#add(kind, key, start, head)
    this.#ends[node] = node + 1
    this.#stops[node] = stop
    return node
  }

  /** Forgets all nodes from `count`, back in the container that was open then. */
  rollback(count: number, container: number): void {
    for (let node = count; node < this.count; node++) {
      this.#values.delete(node)
      this.flows.delete(node)
      if (this.#parents[node] === 0) this.#topValues--
    }
    this.count = count
    this.#open = container
  }

  /** Where a text node's value isn't its source. */
  setValue(node: number, value: string): void {
    this.#values.set(node, value)
  }

  setStop(node: number, stop: number): void {
    this.#stops[node] = stop
  }

  setKind(node: number, kind: number): void {
    this.#kinds[node] = kind
  }

  startOf(node: number): number {
    return this.#starts[node] ?? 0
  }

  stopOf(node: number): number {
    return this.#stops[node] ?? 0
  }

  kindOf(node: number): number {
    return this.#kinds[node] ?? NODE.null
  }

  /** Ends what is open. */
  finish(): JsonDocument {
    const { text, count } = this
    while (this.#open > 0) this.end(text.length)
    this.#ends[0] = count
    this.#stops[0] = text.length
    const root = this.#topValues === 1 ? 1 : 0
    if (root === 1) this.#parents[1] = -1
    return {
      text,
      count,
      root,
      kinds: this.#kinds,
      parents: this.#parents,
      ends: this.#ends,
      starts: this.#starts,
      stops: this.#stops,
      keys: this.#keys,
      keyNames: this.#names,
      keyTexts: this.#names.map((name) => JSON.stringify(name)),
      shownNames: this.#saidNames,
      values: this.#values,
    }
  }

  #add(kind: number, key: number, start: number, head: number): number {
    const node = this.count++
    if (node >= this.#kinds.length) this.#grow(start)
    if (this.#open === 0 && node > 0) this.#topValues++
    this.#kinds[node] = kind
    this.#parents[node] = this.#open
    this.#starts[node] = start
    this.#stops[node] = start
    this.#keys[node] = key
    this.heads[node] = head
    return node
  }

  /** Capacity extrapolated from the text so far: mostly copies once. Unused capacity takes no memory. */
  #grow(at: number): void {
    const foreseen = at < LEAST_SEEN ? 0 : Math.ceil((this.count / at) * this.text.length * FORESEEN)
    const size = Math.max(foreseen, Math.ceil(this.#kinds.length * 1.5))
    const longer = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const array = new Int32Array(size)
      array.set(old)
      return array
    }
    const kinds = new Uint8Array(size)
    kinds.set(this.#kinds)
    this.#kinds = kinds
    this.#parents = longer(this.#parents)
    this.#ends = longer(this.#ends)
    this.#starts = longer(this.#starts)
    this.#stops = longer(this.#stops)
    this.#keys = longer(this.#keys)
    this.heads = longer(this.heads)
  }
}

/** Of a plain scalar that YAML, TOML or an attribute writes as JSON does. */
export function kindOfPlain(source: string): number {
  switch (source) {
    case 'true':
      return NODE.true
    case 'false':
      return NODE.false
    case 'null':
      return NODE.null
  }
  const first = source.charCodeAt(0)
  const mayBe = first === 0x2d || (first >= 0x30 && first <= 0x39)
  return mayBe && source.length <= LONGEST_NUMBER && NUMBER.test(source) ? NODE.number : NODE.text
}

const LONGEST_NUMBER = 40
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
