import {
  ENABLED_FIELDS,
  IGNORED_FIELDS,
  IGNORED_TOP_LEVEL,
  TYPE_FIELDS,
  TYPE_VALUES,
  URL_FIELDS,
} from './foreign-fields.ts'
import type { SettingsPath } from './settings-problem.ts'

export interface Remark {
  /** In the file. */
  readonly path: SettingsPath
  readonly message: string
  readonly serverId: string | undefined
}

export interface AdaptedSettings {
  /** In Sluice's terms, not yet validated. */
  readonly value: unknown
  readonly problems: readonly Remark[]
  readonly notices: readonly Remark[]
  sourceOf(path: SettingsPath): SettingsPath
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Other clients' terms (`mcpServers`, `serverUrl`, `autoApprove` …) into Sluice's. */
export function adaptForeign(value: unknown): AdaptedSettings {
  if (!isFields(value)) return { value, problems: [], notices: [], sourceOf: (path) => path }
  const problems: Remark[] = []
  const notices: Remark[] = []
  const origins = new Map<string, SettingsPath>()

  const { mcpServers, ...own } = value
  for (const [key, why] of Object.entries(IGNORED_TOP_LEVEL)) {
    if (!Object.hasOwn(own, key)) continue
    delete own[key]
    notices.push({ path: [key], message: `"${key}" is not used: ${why}.`, serverId: undefined })
  }

  const servers: Fields = {}
  for (const source of ['servers', 'mcpServers']) {
    const entries = source === 'servers' ? own['servers'] : mcpServers
    if (!isFields(entries)) continue
    for (const [id, entry] of Object.entries(entries)) {
      const path = [source, id]
      if (Object.hasOwn(servers, id)) {
        problems.push({
          path,
          message: `"${id}" is in "servers" and in "mcpServers". Keep one.`,
          serverId: id,
        })
        continue
      }
      origins.set(keyOf(['servers', id]), path)
      servers[id] = isFields(entry) ? adaptEntry(id, entry, path, { notices, origins }) : entry
    }
  }
  if (mcpServers !== undefined && !isFields(mcpServers)) {
    problems.push({
      path: ['mcpServers'],
      message: '"mcpServers" must be an object in { } with one entry per server.',
      serverId: undefined,
    })
  }
  const wrong = own['servers'] !== undefined && !isFields(own['servers'])
  return {
    // The schema reports invalid `servers`.
    value: wrong ? own : { ...own, servers },
    problems,
    notices,
    sourceOf: (path) => sourceOf(path, origins),
  }
}

function adaptEntry(
  id: string,
  entry: Fields,
  path: SettingsPath,
  found: { notices: Remark[]; origins: Map<string, SettingsPath> },
): Fields {
  const adapted: Fields = {}
  const notice = (key: string, message: string) =>
    found.notices.push({ path: [...path, key], message, serverId: id })
  const rename = (key: string, to: string, value: unknown) => {
    if (Object.hasOwn(entry, to)) {
      notice(key, `"${key}" is not used: "${to}" is there too.`)
    } else {
      adapted[to] = value
      found.origins.set(keyOf(['servers', id, to]), [...path, key])
    }
  }
  for (const [key, value] of Object.entries(entry)) {
    if (key === 'type') adapted[key] = typeValue(value)
    else if (TYPE_FIELDS.includes(key)) rename(key, 'type', typeValue(value))
    else if (URL_FIELDS.includes(key)) rename(key, 'url', value)
    else if (ENABLED_FIELDS.includes(key) && typeof value === 'boolean') rename(key, 'disabled', !value)
    // Some clients list allowed tools here; Sluice keeps tool settings under the same name.
    else if (key === 'tools' && Array.isArray(value))
      notice(key, 'A list of tools is not used: to hide a tool here, set tools.NAME.hidden.')
    else if (Object.hasOwn(IGNORED_FIELDS, key)) notice(key, `"${key}" is not used: ${IGNORED_FIELDS[key]}.`)
    else adapted[key] = value
  }
  return adapted
}

const typeValue = (value: unknown): unknown =>
  typeof value === 'string' && Object.hasOwn(TYPE_VALUES, value) ? TYPE_VALUES[value] : value

const keyOf = (path: SettingsPath): string => JSON.stringify(path)

function sourceOf(path: SettingsPath, origins: ReadonlyMap<string, SettingsPath>): SettingsPath {
  for (const length of [3, 2]) {
    const origin = path.length >= length ? origins.get(keyOf(path.slice(0, length))) : undefined
    if (origin) return [...origin, ...path.slice(length)]
  }
  return path
}
