import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { URL_FILE } from '../engine/clients/listeners.ts'

/** As the user of its data folder. Rejects if no engine answers. */
export async function fetchFromEngine(dataDir: string, path: string, withinMs: number): Promise<Response> {
  const [url, token] = await Promise.all(
    [URL_FILE, 'token'].map(async (name) => (await readFile(join(dataDir, name), 'utf8')).trim()),
  )
  return fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(withinMs),
  })
}
