import { isJsonObject } from '../protocol/json-rpc.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { withPlace } from '../ground/secrets/moved-values.ts'
import { holdsCredentials, URL_CREDENTIALS } from '../ground/secrets/url-credentials.ts'
import type { ClientSpec } from './client-spec.ts'
import type { ReadEntry } from './entries/read-entry.ts'
import type { MovedLaunch } from './entries/wrap-entry.ts'

export function warningsFor(
  name: string,
  entry: JsonObject,
  { launch, disabled }: ReadEntry,
  { keptEnv, addedEnv }: MovedLaunch,
  { label }: ClientSpec,
): string[] {
  const warnings: string[] = []
  const kept = [...keptEnv, ...Object.keys(addedEnv)]
  if (kept.length > 0) {
    warnings.push(
      `${name}: ${kept.map(withPlace).join(', ')} ${kept.length === 1 ? 'stays' : 'stay'} in this file, because ${label} puts the values in itself. Sluice can start this server only for ${label}.`,
    )
  }
  if (disabled) {
    warnings.push(
      `${name} is disabled in ${label}, so it is wrapped without being started. Enable it there when you want it; Sluice then asks you to approve what it offers.`,
    )
  }
  if (launch.url !== undefined && launch.headers === undefined) {
    warnings.push(
      `${name}: if this address asks for a sign-in in the browser, sign in once more for Sluice: on the Servers screen, or with "sluice sign-in".`,
    )
  }
  if (holdsCredentials(launch.url)) {
    warnings.push(`${name}: its address holds a user name or password. ${URL_CREDENTIALS}`)
  }
  if (launch.command !== undefined && /\s/.test(launch.command) && !/[\\/]/.test(launch.command)) {
    warnings.push(
      `${name}: its command has spaces. Sluice takes it as the name of one program; arguments belong into "args".`,
    )
  }
  const options = entry['requestOptions']
  const lost = isJsonObject(options) ? Object.keys(options).filter((key) => key !== 'headers') : []
  if (lost.length > 0) {
    warnings.push(`${name}: requestOptions.${lost.join(', requestOptions.')} have no counterpart in Sluice.`)
  }
  return warnings
}
