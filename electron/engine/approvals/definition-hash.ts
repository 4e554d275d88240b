import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { MarkWords } from './moving-words.ts'
import { messageOf, SluiceError } from '../errors.ts'

/** A value as canonical JSON (RFC 8785) and its SHA-256 in hex: equal for equal values, whatever the order of keys. */
export interface CanonicalDefinition {
  readonly text: string
  readonly hash: string
}

/** Throws BAD_INPUT for what has no canonical form (lone surrogates, nesting beyond the stack): it can't be pinned. */
export function canonicalDefinition(value: unknown): CanonicalDefinition {
  try {
    const text = canonicalize(value) ?? 'null'
    return { text, hash: createHash('sha256').update(text).digest('hex') }
  } catch (error) {
    const why = error instanceof RangeError ? 'it is nested too deeply' : messageOf(error)
    throw new SluiceError('BAD_INPUT', `it has no canonical form (${why})`, { cause: error })
  }
}

const hashes = new WeakMap<object, string>()
/** Of definitions by their JSON as it came: a server lists the same ones again and again, each time in new objects. */
const byText = new Map<string, string>()
/** Characters of all texts together. */
const MOST_REMEMBERED = 4_000_000
let remembered = 0

/**
 * The hash of a definition that stays as it is: worked out once, since every call asks for it. From then on nobody can
 * change the value any more, or what was approved and what is used could differ. Throws as `canonicalDefinition` does.
 */
export function settledHash(definition: object): string {
  const known = hashes.get(definition)
  if (known !== undefined) return known
  const hash = hashByText(definition)
  freeze(definition)
  hashes.set(definition, hash)
  return hash
}

const marked = new WeakMap<MarkWords, WeakMap<object, string>>()

/** The same of a definition in whose texts words are marked that are others in another place. */
export function markedHash(definition: object, markWords: MarkWords): string {
  const literal = settledHash(definition)
  const known = marked.get(markWords) ?? new WeakMap<object, string>()
  marked.set(markWords, known)
  const before = known.get(definition)
  if (before !== undefined) return before
  const shown = markWords(definition)
  const hash = shown === definition ? literal : canonicalDefinition(shown).hash
  known.set(definition, hash)
  return hash
}

/** Equal texts have equal canonical forms; what has no text has no canonical form either, and says so there. */
function hashByText(definition: object): string {
  let text: string
  try {
    text = JSON.stringify(definition)
  } catch {
    return canonicalDefinition(definition).hash
  }
  const known = byText.get(text)
  if (known !== undefined) return known
  const { hash } = canonicalDefinition(definition)
  remember(text, hash)
  return hash
}

function remember(text: string, hash: string): void {
  remembered += text.length
  if (remembered > MOST_REMEMBERED) {
    byText.clear()
    remembered = text.length
  }
  byText.set(text, hash)
}

/** What has a canonical form has an end, so this has one, too. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  for (const inner of Object.values(value)) freeze(inner)
}

/**
 * Names what a server was told that its client can do: of two clients with the same capabilities a server has no way to
 * tell which one may have more.
 */
export function viewOf(capabilities: unknown): string {
  try {
    return canonicalDefinition(capabilities).hash
  } catch {
    return 'unreadable'
  }
}
