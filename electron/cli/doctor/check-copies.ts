import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Settings } from '../../../shared/settings.ts'
import { URL_FILE } from '../../engine/clients/listeners.ts'
import type { Finding } from './finding.ts'
import { warning } from './finding.ts'

const Health = z.object({
  servers: z.array(z.object({ id: z.string(), pids: z.array(z.int()).default([]) })).default([]),
})

export async function checkCopies(settings: Settings, dataDir: string): Promise<Finding[]> {
  const health = await askEngine(dataDir).catch(() => undefined)
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

async function askEngine(dataDir: string): Promise<z.infer<typeof Health>> {
  const [url, token] = await Promise.all(
    [URL_FILE, 'token'].map(async (name) => (await readFile(join(dataDir, name), 'utf8')).trim()),
  )
  const response = await fetch(`${url}/health`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(2_000),
  })
  return Health.parse(await response.json())
}
