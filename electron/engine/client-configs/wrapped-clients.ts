import type { ClientFiles } from './client-files.ts'
import { WrapJournals } from './wrap-journal.ts'

/** Ids of the apps that have a wrapped file now. Empty where the backups can't be read: nothing is known of any app then. */
export function wrappedClients(dataDir: string, files: ClientFiles): string[] {
  try {
    const live = new WrapJournals(dataDir, files).list().filter(({ isUndone }) => !isUndone)
    return [...new Set(live.map(({ journal }) => journal.client))]
  } catch {
    return []
  }
}
