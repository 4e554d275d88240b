import { z } from 'zod'
import type { Settings } from '../../../shared/settings.ts'
import { fetchFromEngine } from '../fetch-from-engine.ts'
import type { Finding } from './finding.ts'
import { warning } from './finding.ts'

const Health = z.object({
  servers: z.array(z.object({ id: z.string(), pids: z.array(z.int()).default([]) })).default([]),
})

export async function checkCopies(settings: Settings, dataDir: string): Promise<Finding[]> {
  const health = await fetchFromEngine(dataDir, '/health', 2_000)
    .then(async (response) => Health.parse(await response.json()))
    .catch(() => undefined)
  return (health?.servers ?? []).flatMap(({ id, pids }) =>
    pids.length > 1 && !settings.servers[id]?.shared
      ? [
          warning(
            `server ${id}`,
            `${pids.length} processes of it run, one for each client. If it keeps nothing that belongs to one client, "shared": true in its entry makes them one.`,
          ),
        ]
      : [],
  )
}
