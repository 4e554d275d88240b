import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerSettings } from '../../shared/settings.ts'

/** With these servers and HTTP on any free port. Returns the folder. */
export function writeConfig(
  folder: string,
  servers: Readonly<Record<string, ServerSettings>>,
  settings: Readonly<Record<string, unknown>> = {},
): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Most tests aren't about approvals: the first sight is approved.
  const config = { http: { port: 0 }, approvals: { firstSight: 'trust' }, ...settings, servers }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config, undefined, 2), { mode: 0o600 })
  return folder
}
