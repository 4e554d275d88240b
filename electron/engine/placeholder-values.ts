import type { Secrets } from './secrets.ts'
import { SluiceError } from './errors.ts'

/** Where `${env:NAME}` and `${secret:NAME}` get their values from. */
export interface PlaceholderSources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absent: `${secret:NAME}` stands for nothing here. */
  readonly secrets?: Pick<Secrets, 'get'> | undefined
}

const PLACEHOLDER = /\$\{(env|secret):([^}]*)\}/g

/**
 * A key or header as it is sent. Of variables that are not set nothing is left; rejects with SETTINGS_INVALID for a secret
 * that is not kept, and with STORE_FAILED for one that can't be read.
 */
export async function withPlaceholderValues(
  text: string,
  { env, secrets }: PlaceholderSources,
): Promise<string> {
  const kept = new Map<string, string>()
  for (const [, kind, name = ''] of text.matchAll(PLACEHOLDER)) {
    if (kind !== 'secret' || kept.has(name)) continue
    const value = await secrets?.get(name)
    if (value === undefined) {
      throw new SluiceError(
        'SETTINGS_INVALID',
        `The settings name the secret ${name}, which is not kept. "sluice secrets set ${name}" keeps it.`,
        { data: { secret: name } },
      )
    }
    kept.set(name, value)
  }
  return text.replaceAll(PLACEHOLDER, (_, kind: string, name: string) =>
    kind === 'secret' ? (kept.get(name) ?? '') : (env[name] ?? ''),
  )
}

/** The same `fetch`, with the values put into headers at the last moment: nothing else ever holds them. */
export const fetchWithPlaceholders =
  (fetch: typeof globalThis.fetch, sources: PlaceholderSources): typeof globalThis.fetch =>
  async (input, init) => {
    const headers = new Headers(init?.headers)
    const written = Object.entries(Object.fromEntries(headers))
    for (const [name, value] of written) headers.set(name, await withPlaceholderValues(value, sources))
    return fetch(input, { ...init, headers })
  }
