import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/**
 * One name for everything that matters: SHA-256 of the canonical JSON (RFC 8785), so the order of keys is no difference,
 * and every value at any depth is one. Throws for what has no canonical form; then nothing is shared.
 */
export function keyOf(everything: Readonly<Record<string, unknown>>): string {
  const text = canonicalize(everything)
  if (text === undefined) throw new Error('it has no canonical form')
  return createHash('sha256').update(text).digest('hex')
}
