import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { sourcesIn } from '../protocol/move-sources.ts'

/**
 * SHA-256 of the canonical JSON (RFC 8785): key order doesn't matter, every value does. Throws without a canonical
 * form.
 */
export function keyOf(everything: Readonly<Record<string, unknown>>): string {
  const text = canonicalize(everything)
  if (text === undefined) throw new Error('it has no canonical form')
  // Distinguishes large numbers that JavaScript considers equal.
  const sources = sourcesIn(everything)
  return createHash('sha256')
    .update(sources === undefined ? text : `${text}\n${JSON.stringify(sources)}`)
    .digest('hex')
}
