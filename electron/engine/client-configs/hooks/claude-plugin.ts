import { join } from 'node:path'
import { SluiceError } from '../../ground/errors.ts'
import type { ClientFiles } from '../client-files.ts'
import { clientNamed } from '../clients.ts'
import { sluiceEntry } from '../entries/sluice-entry.ts'
import type { HookPlace, HookSpec } from './hook-spec.ts'

const NAME = 'sluice'
const MANIFEST = join('.claude-plugin', 'plugin.json')

/** A folder with hooks and MCP entry for `--plugin-dir`. An older one of Sluice's is replaced, another's is refused. */
export function writeClaudePlugin(
  folder: string,
  { spec, place, files }: { readonly spec: HookSpec; readonly place: HookPlace; readonly files: ClientFiles },
): void {
  const client = clientNamed(spec.id)
  if (spec.id !== 'claude-code' || spec.kind !== 'shared' || !client)
    throw new SluiceError('BAD_INPUT', `Only Claude Code takes a plugin folder, and not ${spec.label}.`)
  if (files.facts(folder) && !isOwn(folder, files))
    throw new SluiceError(
      'CLIENT_FILE_INVALID',
      `${folder} is there and isn't a plugin of Sluice's, so nothing was written. Name another folder.`,
    )
  const hooks = Object.fromEntries(spec.entries(place).map(({ event, value }) => [event, [value]]))
  const entry = sluiceEntry(place.launcher, client, NAME)
  const parts = {
    [MANIFEST]: {
      name: NAME,
      version: '1.0.0',
      description: 'Shortens what tools answer, and keeps the originals.',
    },
    [join('hooks', 'hooks.json')]: { hooks },
    '.mcp.json': { mcpServers: { [NAME]: entry } },
  }
  for (const [name, value] of Object.entries(parts)) {
    const path = join(folder, name)
    files.remove(path)
    files.create(path, Buffer.from(`${JSON.stringify(value, null, 2)}\n`))
  }
}

function isOwn(folder: string, files: ClientFiles): boolean {
  if (files.list(folder).length === 0) return true
  try {
    const manifest: unknown = JSON.parse(Buffer.from(files.read(join(folder, MANIFEST))).toString())
    return typeof manifest === 'object' && manifest !== null && 'name' in manifest && manifest.name === NAME
  } catch {
    return false
  }
}
