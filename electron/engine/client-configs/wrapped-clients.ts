import type { ClientFiles } from './client-files.ts'
import { WrapJournals } from './wrap-journal.ts'

/** Empty if the backups are unreadable. */
export function wrappedClients(dataDir: string, files: ClientFiles): string[] {
  try {
    const live = new WrapJournals(dataDir, files).list().filter(({ isUndone }) => !isUndone)
    return [...new Set(live.map(({ journal }) => journal.client))]
  } catch {
    return []
  }
}
