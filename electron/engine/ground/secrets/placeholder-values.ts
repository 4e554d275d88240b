import type { Secrets } from './secrets.ts'
import { SluiceError } from '../errors.ts'
import { didYouMean } from '../nearest.ts'

/** For `${env:NAME}` and `${secret:NAME}`. */
export interface PlaceholderSources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absent: `${secret:NAME}` stays. */
  readonly secrets?: Pick<Secrets, 'get'> | undefined
}

const PLACEHOLDER = /\$\{(env|secret):([^}]*)\}/g

/**
 * `where` names the setting. Rejects with SETTINGS_INVALID for an unset variable or missing secret, STORE_FAILED for
 * an unreadable one.
 */
export async function withPlaceholderValues(
  text: string,
  { env, secrets }: PlaceholderSources,
  where: string,
): Promise<string> {
  const kept = new Map<string, string>()
  for (const [, kind, name = ''] of text.matchAll(PLACEHOLDER)) {
    if (kind === 'env' && env[name] === undefined) {
      throw new SluiceError(
        'SETTINGS_INVALID',
        `${where} names the environment variable ${name}, which is not set.${didYouMean(name, Object.keys(env))} Set it for the program that starts Sluice, or keep the key with "sluice secrets set NAME" and write \${secret:NAME}.`,
        { data: { variable: name } },
      )
    }
    if (kind !== 'secret' || kept.has(name)) continue
    const value = await secrets?.get(name)
    if (value === undefined) {
      throw new SluiceError(
        'SETTINGS_INVALID',
        `${where} names the secret ${name}, which is not kept. "sluice secrets set ${name}" keeps it.`,
        { data: { secret: name } },
      )
    }
    kept.set(name, value)
  }
  return text.replaceAll(PLACEHOLDER, (_, kind: string, name: string) =>
    kind === 'secret' ? (kept.get(name) ?? '') : (env[name] ?? ''),
  )
}

/** At the last moment, so that nothing else has header values. */
export const fetchWithPlaceholders =
  (fetch: typeof globalThis.fetch, sources: PlaceholderSources, where: string): typeof globalThis.fetch =>
  async (input, init) => {
    const headers = new Headers(init?.headers)
    const written = Object.entries(Object.fromEntries(headers))
    for (const [name, value] of written) headers.set(name, await withPlaceholderValues(value, sources, where))
    return fetch(input, { ...init, headers })
  }
