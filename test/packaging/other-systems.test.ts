import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as ResEdit from 'resedit'
import { decodeIcns } from '../../electron/packaging/icons/containers.ts'
import { listArchive, packMadeUp, whyNotPacked } from './packed.ts'

// Packages for other systems. Takes a minute, so only in `npm run test:packages`.

const isWanted = process.env['SLUICE_TEST_PACKAGES'] === 'all'
const reason =
  whyNotPacked ?? (isWanted ? undefined : 'Packages of other systems are not tried: npm run test:packages')
if (reason !== undefined) console.warn(reason)

const ON = [
  FuseV1Options.RunAsNode,
  FuseV1Options.EnableCookieEncryption,
  FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
  FuseV1Options.OnlyLoadAppFromAsar,
]
const OFF = [
  FuseV1Options.EnableNodeOptionsEnvironmentVariable,
  FuseV1Options.EnableNodeCliInspectArguments,
  FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
  FuseV1Options.GrantFileProtocolExtraPrivileges,
]

describe.skipIf(reason !== undefined).each([
  { system: 'mac', processor: 'arm64', program: 'Sluice.app', resources: 'Sluice.app/Contents/Resources' },
  { system: 'win', processor: 'x64', program: 'Sluice.exe', resources: 'resources' },
])('the app packed for $system', ({ system, processor, program, resources }) => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  let app: string
  beforeAll(async () => {
    app = await packMadeUp(folder, `--${system}`, `--${processor}`)
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('holds the program and no compiled part of another system', () => {
    const files = listArchive(join(app, resources, 'app.asar'))
    const paths = files.map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining(['dist/electron/main.js', 'dist/electron/cli.js', 'package.json']),
    )
    const names = { mac: 'darwin', win: 'win32' }[system] ?? system
    const foreign = paths
      .filter((path) => /\.(node|so|dylib|dll)$/.test(path))
      .filter((path) => !path.includes(`${system}-${processor}`) && !path.includes(`${names}-${processor}`))
    expect(foreign).toEqual([])
    expect(paths.filter((path) => /\.(map|ts)$/.test(path))).toEqual([])
  })

  it('has the fuses of the configuration', async () => {
    const wire = await getCurrentFuseWire(join(app, program))
    for (const fuse of ON) expect(wire[fuse]).toBe(FuseState.ENABLE)
    for (const fuse of OFF) expect(wire[fuse]).toBe(FuseState.DISABLE)
  })

  it('names the archive and its check sum', () => {
    const archive = join(app, resources, 'app.asar')
    expect(existsSync(archive)).toBe(true)
    const named =
      system === 'mac' ? checkSumInPlist(join(app, program)) : checkSumInProgram(join(app, program))
    expect(named).toMatch(/^[0-9a-f]{64}$/)
  })

  it.runIf(system === 'mac')('opens sluice: links, has its icon, and English texts alone', () => {
    const plist = readFileSync(join(app, program, 'Contents/Info.plist'), 'utf8')
    expect(plist).toMatch(/<key>CFBundleURLSchemes<\/key>\s*<array>\s*<string>sluice<\/string>/)
    expect(plist).toContain('<string>dev.sluice.desktop</string>')
    expect(decodeIcns(readFileSync(join(app, resources, 'icon.icns'))).length).toBeGreaterThan(6)
    expect(globSync('**/*.lproj', { cwd: app }).map((path) => path.slice(-8))).toEqual([
      'en.lproj',
      'en.lproj',
    ])
  })
})

function checkSumInPlist(app: string): string | undefined {
  const plist = readFileSync(join(app, 'Contents/Info.plist'), 'utf8')
  return /<key>Resources\/app\.asar<\/key>[^]*?<key>hash<\/key>\s*<string>(\w+)<\/string>/.exec(plist)?.[1]
}

function checkSumInProgram(path: string): string | undefined {
  const builder = createRequire(createRequire(import.meta.url).resolve('app-builder-lib'))
  const { NtExecutable, NtExecutableResource } = builder('resedit') as typeof ResEdit
  // The fake fuses follow the end of the program.
  const { entries } = NtExecutableResource.from(NtExecutable.from(readFileSync(path), { ignoreCert: true }))
  const integrity = entries.find(({ type }) => type === 'INTEGRITY')
  const text = integrity ? Buffer.from(integrity.bin).toString() : '[]'
  const [first] = JSON.parse(text) as {
    file: string
    value: string
  }[]
  return first?.file === 'resources\\app.asar' ? first.value : undefined
}
