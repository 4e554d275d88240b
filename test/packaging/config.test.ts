import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Configuration } from 'electron-builder'
import { describe, expect, it } from 'vitest'
import { writeBundledIndex } from '../../electron/packaging/bundled-model.ts'
import { applySettings, readDistSettings } from '../../electron/packaging/dist-settings.ts'
import { projectFolder, readConfig } from '../../electron/packaging/read-config.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { writeTinyGguf } from '../helpers/tiny-gguf.ts'

/** electron-builder's check against its own schema; throws with the problem. */
const { validateConfiguration } = createRequire(createRequire(import.meta.url).resolve('app-builder-lib'))(
  './util/config/config.js',
) as {
  validateConfiguration: (config: Configuration, log: { isEnabled: boolean }) => Promise<void>
}
const validate = (config: Configuration) => validateConfiguration(config, { isEnabled: false })

const configFor = (...args: string[]): Configuration => applySettings(readConfig(), readDistSettings(args))

describe('electron-builder.yml', () => {
  it('is valid by the schema of electron-builder, for all systems and with every setting', async () => {
    await validate(readConfig())
    const model = join(temporaryFolder(), 'small.gguf')
    writeFileSync(model, 'GGUF')
    await validate(configFor('--gpu', 'cuda', '--model', model, '--updates', 'github:owner/repo'))
    await validate(configFor('--gpu', 'none', '--updates', 'https://example.com/feed'))
  })

  it('would be refused with a field that does not exist', async () => {
    const wrong: object = { ...readConfig(), win: { targets: ['nsis'] } }
    await expect(validate(wrong)).rejects.toThrow(/win/)
  })

  it('packs for macOS, Windows and Linux', () => {
    expect(readConfig()).toMatchObject({
      mac: { target: ['dmg', 'zip'], hardenedRuntime: true },
      win: { target: ['nsis', 'portable'] },
      linux: { target: ['AppImage', 'deb'] },
      protocols: [{ schemes: ['sluice'] }],
      publish: null,
    })
  })

  it('names files that are there', () => {
    const { mac, win, linux, nsis } = readConfig()
    const { icon, entitlements, entitlementsInherit } = mac ?? {}
    const named = [icon, entitlements, entitlementsInherit, win?.icon, linux?.icon, nsis?.include]
    for (const path of named)
      expect(existsSync(resolve(projectFolder, String(path))), String(path)).toBe(true)
  })

  it('ends the connectors of wrapped apps at an update, and not the installer that the app started', () => {
    const script = readFileSync(resolve(projectFolder, String(readConfig().nsis?.include)), 'utf8')
    expect(script).toContain('!macro customCheckAppRunning')
    // `taskkill /T` would also end the installer, a child of the app.
    expect(script).not.toMatch(/taskkill[^\n]*\/T\b/)
    // Unused, they are warnings, which fail electron-builder's build.
    for (const variable of ['$PowerShellPath', '$CmdPath']) expect(script).toContain(variable)
  })

  it('hardens the program, and leaves on what wrapped clients need', () => {
    expect(readConfig().electronFuses).toEqual({
      runAsNode: true,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    })
  })

  it('lets macOS give no rights beyond those that SECURITY.md names', () => {
    const text = readFileSync(resolve(projectFolder, 'electron/packaging/entitlements.mac.plist'), 'utf8')
    expect([...text.matchAll(/<key>(.*)<\/key>/g)].map(([, key]) => key)).toEqual([
      'com.apple.security.cs.allow-jit',
      'com.apple.security.cs.disable-library-validation',
    ])
  })
})

describe('npm run dist', () => {
  const cuda = '!node_modules/@node-llama-cpp/*-cuda*/**'
  const vulkan = '!node_modules/@node-llama-cpp/*-vulkan/**'

  it.each([
    ['vulkan', true, false],
    ['none', true, true],
    ['cuda', false, false],
  ])('--gpu %s', (gpu, isWithoutCuda, isWithoutVulkan) => {
    const { files } = configFor('--gpu', gpu)
    expect([files].flat().includes(cuda)).toBe(isWithoutCuda)
    expect([files].flat().includes(vulkan)).toBe(isWithoutVulkan)
  })

  it('leaves the configuration as it is without settings', () => {
    expect(configFor()).toEqual(readConfig())
    expect(readDistSettings([])).toMatchObject({ systems: [], processors: [], dir: false, gpu: 'vulkan' })
  })

  it('puts a model beside the archive, with what the engine must know of it', async () => {
    const folder = temporaryFolder()
    const model = join(folder, 'My Small.gguf')
    writeTinyGguf(model)
    const index = await writeBundledIndex(model, folder)
    expect(JSON.parse(readFileSync(index, 'utf8'))).toEqual({
      models: [
        {
          id: 'my-small',
          name: 'Sluice test model',
          file: 'My Small.gguf',
          bytes: statSync(model).size,
          sha256: createHash('sha256').update(readFileSync(model)).digest('hex'),
          contextTokens: 2048,
        },
      ],
    })
    const settings = readDistSettings(['--model', model])
    expect(applySettings(readConfig(), settings, index).extraResources).toEqual([
      { from: model, to: 'models/My Small.gguf' },
      { from: index, to: 'models/bundled.json' },
    ])
  })

  it('packs no model that the engine would refuse', async () => {
    const folder = temporaryFolder()
    const model = join(folder, 'small.gguf')
    writeFileSync(model, 'GGUF')
    await expect(writeBundledIndex(model, folder)).rejects.toThrow("small.gguf can't be used as a model")
  })

  it('names a feed of updates, as a draft on GitHub', () => {
    expect(configFor('--updates', 'github:owner/repo').publish).toEqual({
      provider: 'github',
      owner: 'owner',
      repo: 'repo',
      releaseType: 'draft',
    })
    expect(configFor('--updates', 'https://example.com/feed').publish).toEqual({
      provider: 'generic',
      url: 'https://example.com/feed',
    })
  })

  it.each([
    [['--gpu', 'voodoo'], 'none, vulkan, cuda'],
    [['--model', 'missing.gguf'], 'needs a .gguf file'],
    [['--updates', 'http://example.com'], 'an https address'],
    [['--updates', 'github:owner'], 'github:OWNER/REPO'],
    [['--publish'], '--publish'],
  ])('%j is refused with a reason', (args, reason) => {
    expect(() => readDistSettings(args)).toThrow(reason)
  })
})
