import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReferenceHttp } from '../fixtures/servers/reference-http.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { testServer } from '../helpers/upstream.ts'
import type { Version } from './run-suite.ts'
import { startTokenRelay } from './token-relay.ts'

export interface Route {
  readonly name: string
  /** The protocol revision of the suite's client. */
  readonly version: Version
  /** The reference server's era. */
  readonly serverEra: 'legacy' | 'modern'
  readonly url: string
}

export interface Routes {
  /** The reference server itself, with both eras. */
  readonly direct: readonly Route[]
  /** Sluice's `/mcp/{server}`, for servers of one era over each transport. */
  readonly through: readonly Route[]
  close(): Promise<void>
}

export const eraOf = (version: Version): 'legacy' | 'modern' =>
  version === '2025-11-25' ? 'legacy' : 'modern'

/** Starts reference servers with a `sluice serve` in front. The caller must close it. */
export async function openRoutes(): Promise<Routes> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-conformance-data-'))
  const [both, legacy, modern] = await Promise.all([
    startReferenceHttp('both'),
    startReferenceHttp('legacy'),
    startReferenceHttp('modern'),
  ])
  const dataDir = writeConfig(folder, {
    'http-legacy': { url: legacy.url },
    'http-modern': { url: modern.url },
    'stdio-legacy': testServer('reference', '--era', 'legacy'),
    'stdio-modern': testServer('reference', '--era', 'modern'),
  })
  const engine = await startEngine(dataDir)
  const relay = await startTokenRelay(new URL(engine.url), engine.token)
  const through = (version: Version, serverEra: 'legacy' | 'modern'): Route[] =>
    (['http', 'stdio'] as const).map((transport) => ({
      name: `${version} through Sluice, ${serverEra === 'legacy' ? '2025-11-25' : '2026-07-28'} server over ${transport}`,
      version,
      serverEra,
      url: `http://127.0.0.1:${relay.port}/mcp/${transport}-${serverEra}`,
    }))
  const direct = (version: Version): Route => ({
    name: `${version} direct`,
    version,
    serverEra: eraOf(version),
    url: both.url,
  })
  return {
    direct: [direct('2025-11-25'), direct('2026-07-28')],
    through: [
      ...through('2025-11-25', 'legacy'),
      ...through('2026-07-28', 'modern'),
      ...through('2025-11-25', 'modern'),
      ...through('2026-07-28', 'legacy'),
    ],
    close: async () => {
      await relay.close()
      await engine.stop()
      await Promise.all([both, legacy, modern].map((server) => server.close()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
