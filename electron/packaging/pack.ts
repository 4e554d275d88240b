import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, createTargets, DIR_TARGET, Platform, type Configuration } from 'electron-builder'
import { writeBundledIndex } from './bundled-model.ts'
import { applySettings, type DistSettings, type System } from './dist-settings.ts'
import { projectFolder, readConfig } from './read-config.ts'

const platforms: Readonly<Record<System, Platform>> = {
  mac: Platform.MAC,
  win: Platform.WINDOWS,
  linux: Platform.LINUX,
}

/**
 * After `npm run build`, without uploading. Resolves with the created paths.
 * @param overrides of electron-builder.yml's fields
 */
export async function pack(settings: DistSettings, overrides: Configuration = {}): Promise<string[]> {
  const { systems, processors, dir } = settings
  const chosen = systems.length > 0 ? systems.map((system) => platforms[system]) : [Platform.current()]
  const [first = process.arch, ...others] = processors
  const targets = createTargets(chosen, dir ? DIR_TARGET : null, first)
  for (const processor of others) {
    for (const [platform, archs] of createTargets(chosen, dir ? DIR_TARGET : null, processor)) {
      for (const [arch, types] of archs) targets.get(platform)?.set(arch, types)
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'sluice-pack-'))
  try {
    const index = settings.model === undefined ? undefined : await writeBundledIndex(settings.model, folder)
    const config = applySettings(readConfig(), settings, index)
    // Changing fuses breaks the signature, which macOS requires even of unsigned programs.
    const electronFuses = {
      ...config.electronFuses,
      resetAdHocDarwinSignature: process.platform === 'darwin',
    }
    return await build({
      targets,
      projectDir: projectFolder,
      config: { ...config, electronFuses, ...overrides },
      publish: 'never',
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
