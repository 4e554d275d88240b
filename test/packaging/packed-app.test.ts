import { existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { extractAll } from '@electron/asar'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser } from '../helpers/browser.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { runHere } from '../helpers/run-here.ts'
import { writeTinyGguf } from '../helpers/tiny-gguf.ts'
import { listArchive, packageOf, packMadeUp, sizeByPart, whyNotPacked, type PackedFile } from './packed.ts'
import { productionPackages } from '../../electron/packaging/release/production-packages.ts'
import { useDesktop } from './use-desktop.ts'
import { callThroughLauncher, loadLocalModelRuntime, runProgram } from './use-packed.ts'
import { removeFolder } from '../helpers/remove-folder.ts'

// electron-builder's real work on this repository; only Electron's own files are fake.

const isBuilt = existsSync(join(import.meta.dirname, '../../dist/electron/main.js'))
const isHere = process.platform === 'linux' && process.arch === 'x64'
const reason =
  whyNotPacked ??
  (isBuilt ? undefined : 'Nothing is packed, because nothing is built: npm run build') ??
  (isHere ? undefined : 'Nothing is packed: the compiled parts that this looks for are those of Linux on x64')
if (reason !== undefined) console.warn(reason)

const browser = findBrowser()
const LLAMA = 'node_modules/@node-llama-cpp/'

describe.skipIf(reason !== undefined)('the packed app', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  let app: string
  /** A folder in place of the archive, which plain Node can't read; everything else as installed. */
  let extracted: string
  let files: PackedFile[]
  let cli: readonly [string, string]

  beforeAll(async () => {
    const model = join(folder, 'Tiny Model.gguf')
    writeTinyGguf(model)
    app = await packMadeUp(folder, '--linux', '--x64', '--model', model)
    extracted = join(app, 'resources', 'app.asar')
    files = listArchive(extracted)
    extractAll(extracted, join(folder, 'extracted'))
    rmSync(extracted)
    renameSync(join(folder, 'extracted'), extracted)
    cli = [process.execPath, join(extracted, 'dist/electron/cli.js')]
  }, 900_000)

  afterAll(() => removeFolder(folder))

  const paths = () => files.map(({ path }) => path)
  const identityOf = (folder: string): string => {
    const { name, version } = JSON.parse(readFileSync(join(extracted, folder, 'package.json'), 'utf8')) as {
      name: string
      version: string
    }
    return `${name}@${version}`
  }

  it('holds the program, its data and its licences, and nothing that only developers need', () => {
    const own = paths().filter((path) => packageOf(path) === undefined)
    expect([...new Set(own.map((path) => path.split('/')[0] ?? ''))].sort()).toEqual([
      'LICENSE',
      'THIRD-PARTY.md',
      'dist',
      'package.json',
      'resources',
    ])
    expect(paths().filter((path) => /\.(map|ts|mts|cts|tsbuildinfo)$/.test(path))).toEqual([])
    const manifest = JSON.parse(readFileSync(join(extracted, 'package.json'), 'utf8')) as object
    expect(manifest).not.toHaveProperty('devDependencies')
    expect(manifest).not.toHaveProperty('scripts')
    expect(existsSync(join(extracted, 'resources/icons/tray/onTemplate@2x.png'))).toBe(true)
  })

  it('holds all production packages and no other, each with its licence', () => {
    const production = productionPackages()
    const needed = [...production.values()].filter(({ isOptional }) => !isOptional).map(({ id }) => id)
    const packed = new Map(
      paths().flatMap((path) => {
        const folder = packageOf(path)
        return folder !== undefined && path === `${folder}/package.json` ? [[identityOf(folder), folder]] : []
      }),
    )
    expect(needed.length).toBeGreaterThan(100)
    expect([...packed.keys()].filter((id) => !production.has(id))).toEqual([])
    expect(needed.filter((id) => !packed.has(id))).toEqual([])

    const installed = (folder: string) => join(import.meta.dirname, '../..', folder)
    const unlicensed = [...packed.values()].filter(
      (folder) => licencesIn(installed(folder)) > 0 && licencesIn(join(extracted, folder)) === 0,
    )
    expect(unlicensed).toEqual([])
  })

  it('holds compiled parts of its own system and processor only, beside the archive', () => {
    const compiled = files.filter(({ path }) => /\.(node|so|dylib|dll)$/.test(path))
    expect(compiled.filter(({ isUnpacked }) => !isUnpacked)).toEqual([])
    const parts = [...new Set(compiled.map(({ path }) => packageOf(path) ?? path))].sort()
    expect(parts).toEqual([
      'node_modules/@napi-rs/keyring-linux-x64-gnu',
      `${LLAMA}linux-x64`,
      `${LLAMA}linux-x64-vulkan`,
      'node_modules/@reflink/reflink-linux-x64-gnu',
    ])
    for (const { path } of compiled)
      expect(existsSync(join(app, 'resources/app.asar.unpacked', path))).toBe(true)
    // Files outside the archive escape its integrity check: nothing else may be there.
    const beside = files.filter(({ isUnpacked }) => isUnpacked)
    expect(beside.filter(({ path }) => /\.(js|mjs|cjs|wasm)$/.test(path))).toEqual([])
  })

  it('leaves out the languages that the screens do not speak', () => {
    expect(globSync('locales/*', { cwd: app })).toEqual([join('locales', 'en-US.pak')])
  })

  it('has the fuses of the configuration', async () => {
    const wire = await getCurrentFuseWire(join(app, 'sluice'))
    const on = (fuse: FuseV1Options) => wire[fuse] === FuseState.ENABLE
    expect({
      runAsNode: on(FuseV1Options.RunAsNode),
      cookieEncryption: on(FuseV1Options.EnableCookieEncryption),
      nodeOptions: on(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      inspectArguments: on(FuseV1Options.EnableNodeCliInspectArguments),
      asarIntegrity: on(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      onlyFromAsar: on(FuseV1Options.OnlyLoadAppFromAsar),
      fileProtocol: on(FuseV1Options.GrantFileProtocolExtraPrivileges),
    }).toEqual({
      runAsNode: true,
      cookieEncryption: true,
      nodeOptions: false,
      inspectArguments: false,
      asarIntegrity: true,
      onlyFromAsar: true,
      fileProtocol: false,
    })
  })

  it('looks for no updates, as no feed was named', () => {
    expect(existsSync(join(app, 'resources', 'app-update.yml'))).toBe(false)
  })

  it('stays small', () => {
    const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
    const total = (chosen: readonly PackedFile[]) => chosen.reduce((sum, { size }) => sum + size, 0)
    const inside = total(files.filter(({ isUnpacked }) => !isUnpacked))
    const beside = total(files.filter(({ isUnpacked }) => isUnpacked))
    const parts = sizeByPart(files).slice(0, 15)
    console.log(
      `The archive holds ${megabytes(inside)} MB, and ${megabytes(beside)} MB lie beside it:\n` +
        parts.map(([part, bytes]) => `${megabytes(bytes).padStart(7)} MB  ${part}`).join('\n'),
    )
    // 10 % above the original size; raise it after checking what was added.
    expect(inside).toBeLessThan(57e6)
    expect(beside).toBeLessThan(120e6)
  })

  it('finds every package that its code names', () => {
    const sources = globSync('dist/{electron,shared}/**/*.js', { cwd: extracted })
    const missing: string[] = []
    for (const file of sources) {
      const path = join(extracted, file)
      const resolve = createRequire(pathToFileURL(path))
      const source = readFileSync(path, 'utf8')
      for (const [, named, loaded] of source.matchAll(
        /^(?:import|export)\b.*?\bfrom "([^"]+)"|\bimport\("([^"]+)"\)/gm,
      )) {
        const name = named ?? loaded ?? ''
        if (name.startsWith('.')) continue
        if (name === 'electron' || name.startsWith('node:')) continue
        const found = resolve.resolve.paths(name)?.some((at) => existsSync(join(at, packageName(name))))
        if (!found) missing.push(`${file}: ${name}`)
      }
    }
    expect(missing).toEqual([])
  })

  it.each([
    [
      'code',
      ['compress', '--budget', '300', '--goal', 'how budgets are shared'],
      'electron/engine/compression/allocate.ts',
    ],
    ['json', ['compress', '--budget', '300'], 'package-lock.json'],
    ['a document', ['compress', '--budget', '300', '--goal', 'masking'], 'README.md'],
    ['an attack', ['scan'], 'SECURITY.md'],
    ['names', ['mask', '--types', 'all'], 'THIRD-PARTY.md'],
  ])('gives the same bytes for %s as the sources do', async (_, args, file) => {
    const input = readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
    const packed = await runProgram(cli, args, input)
    expect(packed).toEqual(await runHere(args, { input }))
    expect(packed.stdout.length).toBeGreaterThan(20)
  })

  it('shortens the result of a tools/call from engine to client, keeps it, and gives it back', async () => {
    await callThroughLauncher(cli)
  })

  it('opens its own parts of llama.cpp', async () => {
    expect(await loadLocalModelRuntime(extracted)).toMatchObject({ gpu: false, buildType: 'prebuilt' })
  })

  it('lists the model that came with it, which no catalogue knows', async () => {
    const dataDir = writeConfig(join(folder, 'listing'), {})
    const listed = await runProgram(cli, ['models', 'list', '--json', '--data-dir', dataDir])
    expect(JSON.parse(listed.stdout), listed.stderr).toContainEqual(
      expect.objectContaining({
        id: 'tiny-model',
        name: 'Sluice test model',
        contextTokens: 2048,
        state: 'came with Sluice',
      }),
    )
    const removed = await runProgram(cli, ['models', 'remove', 'tiny-model', '--yes', '--data-dir', dataDir])
    expect(removed.code).not.toBe(0)
    expect(removed.stderr).toContain('stays until Sluice is uninstalled')
  })

  it.skipIf(browser === undefined)(
    'shows its window, serves a client, answers with its own model, and ends with nothing left',
    () => useDesktop(join(app, 'resources'), browser ?? '', folder),
  )
})

const packageName = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

const licencesIn = (folder: string): number =>
  globSync('{licen[cs]e,LICEN[CS]E,Licen[cs]e}*', { cwd: folder }).length
