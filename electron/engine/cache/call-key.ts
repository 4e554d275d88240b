import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { sourcesIn } from '../protocol/move-sources.ts'

/**
 * One name for everything that matters: SHA-256 of the canonical JSON (RFC 8785), so the order of keys is no difference,
 * and every value at any depth is one. Throws for what has no canonical form; then nothing is shared.
 */
export function keyOf(everything: Readonly<Record<string, unknown>>): string {
  const text = canonicalize(everything)
  if (text === undefined) throw new Error('it has no canonical form')
  // Of two large numbers that JavaScript takes for the same each is another call.
  const sources = sourcesIn(everything)
  return createHash('sha256')
    .update(sources === undefined ? text : `${text}\n${JSON.stringify(sources)}`)
    .digest('hex')
}
