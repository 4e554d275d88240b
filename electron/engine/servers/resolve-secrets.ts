import type { ServerSettings } from '../../../shared/settings.ts'
import type { Secrets } from '../ground/secrets/secrets.ts'
import { secretNamesIn } from '../ground/secrets/secret-names.ts'

/** Without missing ones. Rejects with STORE_FAILED. */
export async function resolveSecrets(
  server: ServerSettings,
  secrets: Pick<Secrets, 'get'> | undefined,
): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const name of secretNamesIn(server)) {
    const value = await secrets?.get(name)
    if (value !== undefined) found[name] = value
  }
  return found
}
