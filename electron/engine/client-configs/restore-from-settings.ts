import type { ServerSettings } from '../../../shared/settings.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'
import type { ClientSpec, EntryStyle } from './client-spec.ts'
import { LAUNCH_KEYS } from './entries/read-entry.ts'
import { startPairs } from './entries/wrap-entry.ts'
import type { OwnAddresses } from './entries/sluice-entry.ts'
import type { ContainerEdit, Pair } from './formats/config-format.ts'
import { listServers } from './list-servers.ts'
import type { ListedServer } from './list-servers.ts'
import { mergeByPath, removal } from './take-out.ts'

/** From config.json's launches: for entries without backup (wrapped by another Sluice, or a new data folder). */
export function restoreFromSettings(
  value: unknown,
  names: readonly string[] | undefined,
  servers: Readonly<Record<string, ServerSettings>>,
  { client, own }: { client: ClientSpec; own: OwnAddresses },
): { edits: ContainerEdit[]; restored: string[]; remarks: string[] } {
  const edits: ContainerEdit[] = []
  const restored: string[] = []
  const remarks: string[] = []
  const all = listServers(value, client, own)
  const wrapped = all.filter(({ role }) => role?.role === 'wrapped')
  for (const server of wrapped) {
    const { name, role, entry } = server
    if (role?.role !== 'wrapped' || (names !== undefined && !names.includes(name))) continue
    const settings = servers[role.serverId]
    if (!settings || !isJsonObject(entry)) {
      remarks.push(
        `${name} goes through Sluice as "${role.serverId}", but neither a backup nor config.json tells what it was; it is left as it is.`,
      )
      continue
    }
    edits.push({ path: server.path, replace: replacements(entry, settings, client.style) })
    restored.push(name)
    remarks.push(`${name}: no backup is left, so its command comes from config.json.`)
    if (JSON.stringify(settings).includes('${secret:'))
      remarks.push(
        `${name}: only Sluice knows what \${secret:NAME} in it stands for. Write the value into the app's file, or the server will not work there.`,
      )
  }
  if (wrapped.length === restored.length) edits.push(...all.filter(isToolsEntry).map(removal))
  return { edits: mergeByPath(edits), restored, remarks }
}

const isToolsEntry = ({ role, reading }: ListedServer): boolean =>
  role?.role === 'self' && !('unsupported' in reading) && (reading.launch.args ?? []).includes('--client')

function replacements(
  entry: Readonly<Record<string, unknown>>,
  { type, command, args = [], env, cwd, url, headers }: ServerSettings,
  style: EntryStyle,
): ReadonlyMap<string, readonly Pair[]> {
  const isRemote = url !== undefined
  const remote: readonly (Pair | undefined)[] = [
    [style.remote.url, url],
    headers && [style.remote.headers, style.remote.headers === 'requestOptions' ? { headers } : headers],
    // An entry with a type needs the new one.
    entry['type'] === undefined && style.remote.type === undefined
      ? undefined
      : ['type', type === 'sse' ? 'sse' : (style.remote.type ?? 'http')],
  ]
  const pairs = [
    ...(isRemote ? remote : startPairs(style, command, args)),
    env && ([style.env, env] as const),
    cwd && (['cwd', cwd] as const),
  ]
  const given = pairs.filter((pair): pair is Pair => Array.isArray(pair))
  const replace = new Map<string, readonly Pair[]>()
  const gone = [...LAUNCH_KEYS, ...(isRemote ? ['type'] : [])].filter((key) => Object.hasOwn(entry, key))
  for (const key of gone)
    replace.set(
      key,
      given.filter(([name]) => name === key),
    )
  const [anchor = ''] = gone
  const added = given.filter(([name]) => !gone.includes(name))
  replace.set(anchor, [...(replace.get(anchor) ?? []), ...added])
  return replace
}
