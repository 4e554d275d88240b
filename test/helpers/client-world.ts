import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { applyWrap } from '../../electron/engine/client-configs/apply-wrap.ts'
import type { WrapDependencies } from '../../electron/engine/client-configs/apply-wrap.ts'
import type { ClientFiles } from '../../electron/engine/client-configs/client-files.ts'
import type { WrapSettings } from '../../electron/engine/client-configs/config-changes.ts'
import type { Launcher } from '../../electron/engine/client-configs/entries/sluice-entry.ts'
import { previewWrap } from '../../electron/engine/client-configs/preview-wrap.ts'
import type { WrapPreview, WrapRequest } from '../../electron/engine/client-configs/preview-wrap.ts'
import { applyUnwrap, previewUnwrap } from '../../electron/engine/client-configs/unwrap.ts'
import type { UnwrapRequest } from '../../electron/engine/client-configs/plan-unwrap.ts'
import type { UnwrapPreview } from '../../electron/engine/client-configs/unwrap.ts'
import { editConfig } from '../../electron/engine/settings/edit-config.ts'
import { parseSettings } from '../../electron/engine/settings/parse-settings.ts'

export const LAUNCHER: Launcher = { command: '/opt/node', args: ['/opt/sluice/electron/cli.js'] }
export const CONFIG = '/data/config.json'

const fixtures = resolve(import.meta.dirname, '../fixtures/clients')
export const fixture = (client: string, name: string): Buffer => readFileSync(resolve(fixtures, client, name))

/** In memory, with any platform's paths; the real file system has its own tests. */
export interface MemoryFiles extends ClientFiles {
  readonly all: Map<string, { bytes: Uint8Array; mode: number }>
  put(path: string, content: string | Uint8Array): void
  text(path: string): string
}

export function memoryFiles(): MemoryFiles {
  const all: MemoryFiles['all'] = new Map()
  const under = (folder: string): string =>
    /[\\/]$/.test(folder) ? folder : `${folder}${folder.includes('\\') ? '\\' : '/'}`
  const get = (path: string) => {
    const found = all.get(path)
    if (!found) throw new Error(`ENOENT: ${path}`)
    return found
  }
  return {
    all,
    put: (path, content) => all.set(path, { bytes: Buffer.from(content), mode: 0o644 }),
    text: (path) => Buffer.from(get(path).bytes).toString(),
    facts(path) {
      const file = all.get(path)
      const isFolder = !file && [...all.keys()].some((name) => name.startsWith(under(path)))
      if (!file && !isFolder) return undefined
      const kind = file ? 'file' : 'folder'
      return { kind, mode: file?.mode ?? 0o755, owner: 0, group: 0, size: file?.bytes.length ?? 0 }
    },
    realPath: (path) => path,
    read: (path) => get(path).bytes,
    list(folder) {
      const start = under(folder)
      const names = [...all.keys()].filter((path) => path.startsWith(start))
      return [...new Set(names.map((path) => path.slice(start.length).split(/[\\/]/)[0] ?? ''))].sort()
    },
    replace: (path, bytes, { mode }) => void all.set(path, { bytes, mode }),
    create(path, bytes) {
      if (all.has(path)) throw new Error(`EEXIST: ${path}`)
      all.set(path, { bytes, mode: 0o600 })
    },
    remove(path) {
      for (const name of all.keys()) if (name === path || name.startsWith(under(path))) all.delete(name)
    },
  }
}

/** In memory, edited and read as the real store does. */
export function memorySettings(
  files: MemoryFiles,
  text = '{\n  // mine\n  "servers": {}\n}\n',
): WrapSettings {
  files.put(CONFIG, text)
  const read = (): WrapSettings['current'] => {
    const { settings, problems } = parseSettings(files.text(CONFIG))
    if (!settings) throw new Error(JSON.stringify(problems))
    return settings
  }
  let current = read()
  return {
    path: CONFIG,
    get current() {
      return current
    },
    update(edits) {
      const edited = editConfig(files.text(CONFIG), edits)
      const { settings, problems } = parseSettings(edited)
      if (!settings) throw new Error(`SETTINGS_INVALID ${JSON.stringify(problems)}`)
      files.put(CONFIG, edited)
      current = settings
    },
    reload: () => (current = read()),
  }
}

export interface ClientWorld extends WrapDependencies {
  readonly files: MemoryFiles
  preview(request: WrapRequest): WrapPreview
  wrap(request: WrapRequest): Promise<WrapPreview>
  previewUnwrap(request: UnwrapRequest): UnwrapPreview
  unwrap(request: UnwrapRequest): UnwrapPreview
  servers(): WrapSettings['current']['servers']
}

export function clientWorld(config?: string, changes: Partial<WrapDependencies> = {}): ClientWorld {
  const files = memoryFiles()
  const settings = memorySettings(files, config)
  let clock = Date.UTC(2026, 0, 1)
  const dependencies = {
    files,
    settings,
    launcher: LAUNCHER,
    dataDir: '/data',
    now: () => (clock += 1000),
    ...changes,
  }
  const preview = (request: WrapRequest): WrapPreview =>
    previewWrap(request, {
      ...dependencies,
      settings: settings.current,
    })
  return {
    ...dependencies,
    files,
    preview,
    async wrap(request) {
      const seen = preview(request)
      applyWrap(seen, dependencies)
      return seen
    },
    previewUnwrap: (request) => previewUnwrap(request, dependencies),
    unwrap(request) {
      const seen = previewUnwrap(request, dependencies)
      applyUnwrap(seen, dependencies)
      return seen
    },
    servers: () => settings.current.servers,
  }
}
