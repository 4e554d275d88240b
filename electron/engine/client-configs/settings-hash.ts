import canonicalize from 'canonicalize'
import type { ServerSettings } from '../../../shared/settings.ts'
import { hashOf } from './load-client-file.ts'

/** Detects changes without revealing secrets. */
export const settingsHash = (settings: ServerSettings): string =>
  hashOf(new TextEncoder().encode(canonicalize(settings) ?? ''))
