import type { ServerSettings } from '../../../../shared/settings.ts'
import { hideInArgs, hideInUrl } from './hide-secrets.ts'
import { decidesLaunch } from './launch-variables.ts'
import { isSecretName } from './redact.ts'
import { looksLikeKey } from './secret-arguments.ts'
import type { Secrets } from './secrets.ts'

export interface PlainKey {
  readonly field: 'env' | 'headers'
  readonly name: string
  /** Such as "Bearer ". */
  readonly before: string
  readonly value: string
}

const SCHEME = /^(?:Bearer|Basic|Token|Digest|ApiKey|Key)\s+(?=\S)/i
/** A reference, or not a value. */
const NO_KEY = /\$\{|^(?:true|false|yes|no|on|off|none|null|\d{1,5})?$/i
const FILE = /^(?:[.~]{0,2}[/\\]|[A-Za-z]:[/\\]|file:)/

/** Could be stored elsewhere. */
export function plainKeys({ env, headers }: ServerSettings): PlainKey[] {
  const among = (field: PlainKey['field'], values: Readonly<Record<string, string>> = {}): PlainKey[] =>
    Object.entries(values).flatMap(([name, text]) => {
      const before = SCHEME.exec(text)?.[0] ?? ''
      const value = text.slice(before.length)
      const isKey = isSecretName(name) || before !== '' || looksLikeKey(value)
      if (!isKey || NO_KEY.test(value) || FILE.test(value) || decidesLaunch(name, text)) return []
      return [{ field, name, before, value }]
    })
  return [...among('env', env), ...among('headers', headers)]
}

function keysThatStay({ command, args = [], url }: ServerSettings): string[] {
  const shown = hideInArgs(args, command)
  return [
    ...(args.some((arg, index) => arg !== shown[index]) ? ['its arguments'] : []),
    ...(url !== undefined && hideInUrl(url) !== url ? ['its address'] : []),
  ]
}

/** "the header Authorization", "the variable API_KEY". */
export const placeOfKey = ({ field, name }: Pick<PlainKey, 'field' | 'name'>): string =>
  `the ${field === 'env' ? 'variable' : 'header'} ${name}`

/** Plain text in config.json. */
export function plainKeyWarnings(serverId: string, settings: ServerSettings): string[] {
  const keys = plainKeys(settings).map(placeOfKey)
  const inMaps =
    keys.length === 0
      ? []
      : [
          `${serverId}: ${keys.join(', ')} ${keys.length === 1 ? 'is' : 'are'} in config.json in plain text. "sluice secrets keep ${serverId}" moves that to the system's keyring and leaves \${secret:NAME} in its place.`,
        ]
  return [...inMaps, ...argumentKeyWarnings(serverId, settings)]
}

/** No command moves these: a key's limits in an argument or address are uncertain. */
export function argumentKeyWarnings(serverId: string, settings: ServerSettings): string[] {
  const places = keysThatStay(settings)
  return places.length === 0
    ? []
    : [
        `${serverId}: ${places.join(' and ')} may hold a key, which is in config.json in plain text. To keep it elsewhere, run "sluice secrets set NAME" and write \${secret:NAME} in its place.`,
      ]
}

/** Returns new settings and names. */
export async function keepKeys(
  serverId: string,
  settings: ServerSettings,
  secrets: Pick<Secrets, 'get' | 'set' | 'list'>,
): Promise<{ settings: ServerSettings; kept: readonly { readonly name: string; readonly key: PlainKey }[] }> {
  const keys = plainKeys(settings)
  const taken = new Set((await secrets.list()).map(({ name }) => name))
  const kept: { name: string; key: PlainKey }[] = []
  for (const key of keys) {
    const name = await freeName(secretNameOf(serverId, key.name), key.value, taken, secrets)
    if (!taken.has(name)) await secrets.set(name, key.value)
    taken.add(name)
    kept.push({ name, key })
  }
  const replaced = (field: PlainKey['field']): Record<string, string> | undefined => {
    const values = settings[field]
    if (!values) return undefined
    const changes = kept
      .filter(({ key }) => key.field === field)
      .map(({ name, key }) => [key.name, `${key.before}\${secret:${name}}`] as const)
    return { ...values, ...Object.fromEntries(changes) }
  }
  const [env, headers] = [replaced('env'), replaced('headers')]
  return { settings: { ...settings, ...(env && { env }), ...(headers && { headers }) }, kept }
}

/** Reuses a name with this value. */
async function freeName(
  wanted: string,
  value: string,
  taken: ReadonlySet<string>,
  secrets: Pick<Secrets, 'get'>,
): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.has(name) || (await secrets.get(name).catch(() => undefined)) === value) return name
  }
}

/** By `keepKeys`, for this variable or header. */
export function isKeptKey(serverId: string, name: string, value: string): boolean {
  const kept = /^\$\{secret:([^}]*)\}$/.exec(value.replace(SCHEME, ''))?.[1]
  if (kept === undefined) return false
  const own = secretNameOf(serverId, name)
  return kept === own || (kept.startsWith(`${own}-`) && /^\d+$/.test(kept.slice(own.length + 1)))
}

const LONGEST = 90

const secretNameOf = (serverId: string, name: string): string =>
  `${serverId}-${name.toLowerCase()}`
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
