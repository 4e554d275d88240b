import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerSettings } from '../../shared/settings.ts'

/** Writes a config.json with these servers, HTTP on any free port, into `folder`. Returns the folder. */
export function writeConfig(
  folder: string,
  servers: Readonly<Record<string, ServerSettings>>,
  settings: Readonly<Record<string, unknown>> = {},
): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Most tests are not about approvals: what they see first may pass.
  const config = { http: { port: 0 }, approvals: { firstSight: 'trust' }, ...settings, servers }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config, undefined, 2), { mode: 0o600 })
  return folder
}
