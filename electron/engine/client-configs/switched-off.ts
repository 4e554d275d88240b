import type { ClientFiles } from './client-files.ts'
import type { ClientSpec, ServerName } from './client-spec.ts'
import { valueAt } from './list-servers.ts'
import { loadClientFile } from './load-client-file.ts'
import type { Machine } from '../ground/surroundings.ts'

interface ReadFile {
  readonly path: string
  readonly value: unknown
  /** Without it the app's file in the home folder isn't looked at. */
  readonly machine: Machine | undefined
}

/** Whether the app's own lists, outside the server's entry, switch it off. */
export function switchedOff(
  { path, value, machine }: ReadFile,
  client: ClientSpec,
  files: ClientFiles,
): (server: ServerName) => boolean {
  const separator = path.includes('\\') ? '\\' : '/'
  const start = path.lastIndexOf(separator) + 1
  const [folder, name] = [path.slice(0, start), path.slice(start)]
  const valueIn = (file: string): unknown => {
    try {
      return loadClientFile(file, files).parsed.value
    } catch {
      return undefined
    }
  }
  const file = {
    folder: folder.slice(0, -1),
    name,
    value,
    beside: (other: string) => valueIn(folder + other.replaceAll('/', separator)),
    ofUser: () => valueIn((machine && client.files(machine)[0]?.[0]) ?? ''),
  }
  return (server) => client.isOff?.(server, file) ?? false
}

const names = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const list = valueAt(value, path)
  return Array.isArray(list) ? list : []
}

/**
 * Claude Code: `/mcp` switches a server off in one project, so one of all projects is off in none by that; servers of
 * a project's `.mcp.json` are refused in the project's settings, or in the user's file, where earlier versions kept it.
 */
export const isOffInClaudeCode: ClientSpec['isOff'] = ({ name, project }, file) =>
  project === undefined
    ? file.name === '.mcp.json' &&
      [
        ...['.claude/settings.json', '.claude/settings.local.json'].map(file.beside),
        valueAt(file.ofUser(), ['projects', file.folder]),
      ].some((settings) => names(settings, 'disabledMcpjsonServers').includes(name))
    : names(file.value, 'projects', project, 'disabledMcpServers').includes(name)

/** Gemini CLI compares names without regard to case. */
export const isOffInGemini: ClientSpec['isOff'] = ({ name }, { value, beside }) => {
  const isNamed = (other: unknown): boolean => typeof other === 'string' && keyOf(other) === keyOf(name)
  const allowed = names(value, 'mcp', 'allowed')
  const states = Object.entries(beside('mcp-server-enablement.json') ?? {})
  return (
    names(value, 'mcp', 'excluded').some(isNamed) ||
    (allowed.length > 0 && !allowed.some(isNamed)) ||
    states.some(([other, state]) => isNamed(other) && valueAt(state, ['enabled']) === false)
  )
}

const keyOf = (name: string): string => name.trim().toLowerCase()
