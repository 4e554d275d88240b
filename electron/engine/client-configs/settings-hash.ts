import canonicalize from 'canonicalize'
import type { ServerSettings } from '../../../shared/settings.ts'
import { hashOf } from './load-client-file.ts'

/** Tells whether a server's settings are still what they were; says nothing of the secrets in them. */
export const settingsHash = (settings: ServerSettings): string =>
  hashOf(new TextEncoder().encode(canonicalize(settings) ?? ''))
