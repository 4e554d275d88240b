import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { desktopLauncher, unpackingFileOf, type LauncherPlace } from '../../electron/cli/desktop-launcher.ts'
import { sluiceRole, type Launcher } from '../../electron/engine/client-configs/entries/sluice-entry.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const root = resolve(import.meta.dirname, '../..')
const isBuilt = existsSync(join(root, 'dist/electron/cli.js'))
if (!isBuilt) console.warn('Sluice is not built, so its launcher is not run: npm run build')
const place = {
  platform: 'linux' as const,
  homeDir: '/home/me',
  tempDir: '/tmp',
  env: {},
  dataDir: '/home/me/.config/sluice',
  builtFolder: '/opt/Sluice/resources/app.asar/dist',
  execPath: '/opt/Sluice/sluice',
}

const launcherAt = (where: LauncherPlace): Launcher => {
  const launcher = desktopLauncher(where)
  if (!('command' in launcher)) throw new Error(launcher.unavailable)
  return launcher
}

describe('what AI apps start', () => {
  it('is the app’s own executable as Node', () => {
    expect(desktopLauncher(place)).toEqual({
      command: '/opt/Sluice/sluice',
      args: ['/opt/Sluice/resources/app.asar/dist/electron/cli.js'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
    })
    expect(launcherAt({ ...place, dataDir: '/else' }).args.slice(1)).toEqual(['--data-dir', '/else'])
  })

  it.each([place, { ...place, env: { APPIMAGE: '/home/me/Apps/Sluice-0.1.0-linux-x86_64.AppImage' } }])(
    'is recognised as Sluice afterwards, moved or not: $env',
    (where) => {
      const { command, args } = launcherAt(where)
      const launch = { command, args: [...args, 'connect', '--client', 'cursor', '--server', 'files'] }
      const other = { launcher: { command: '/elsewhere', args: [] }, httpPort: 7424 }
      expect(sluiceRole(launch, other)).toEqual({ role: 'wrapped', serverId: 'files' })
    },
  )

  it('is nothing of a portable Sluice, whose program is gone with its end; the system starts the file it came in', () => {
    const env = { PORTABLE_EXECUTABLE_FILE: 'D:\\Tools\\Sluice-0.1.0-portable.exe' }
    const unpacked = 'C:\\Users\\me\\AppData\\Local\\Temp\\2xUy\\Sluice.exe'
    const portable = { ...place, platform: 'win32' as const, env, execPath: unpacked }
    const none = { unavailable: expect.stringContaining('portable Sluice') as string }
    expect(desktopLauncher(portable)).toEqual(none)
    expect(unpackingFileOf(portable)).toBe(env.PORTABLE_EXECUTABLE_FILE)
    // Inherited from another program, it says nothing about an installed app or another system.
    expect(desktopLauncher({ ...portable, platform: 'linux' })).toHaveProperty('command')
    // A terminal does not set that variable.
    const tempDir = 'C:\\Users\\me\\AppData\\Local\\Temp'
    expect(desktopLauncher({ ...portable, env: {}, tempDir })).toEqual(none)
    expect(desktopLauncher({ ...portable, env: {}, tempDir: 'C:\\Temp' })).toHaveProperty('command')
    expect(desktopLauncher({ ...portable, env: {}, tempDir: tempDir.slice(0, -1) })).toHaveProperty('command')
    expect(unpackingFileOf(place)).toBeUndefined()
  })

  it('names another data folder on Windows, too, and takes a variable of AppImages for Linux only', () => {
    const windows = { ...place, platform: 'win32' as const, homeDir: 'C:\\Users\\me', dataDir: 'D:\\Sluice' }
    expect(launcherAt(windows).args.slice(1)).toEqual(['--data-dir', 'D:\\Sluice'])
    const inherited = { ...place, platform: 'darwin' as const, env: { APPIMAGE: '/else.AppImage' } }
    expect(launcherAt(inherited).command).toBe(place.execPath)
  })

  // The start script of a real AppImage, from the packager; Node replaces Electron as Node.
  it.runIf(process.platform === 'linux' && isBuilt).each([
    ['where the system allows a sandbox', 'exit 0'],
    ['where it does not, and --no-sandbox is put first', 'exit 1'],
  ])('runs the CLI out of an AppImage %s', (_what, unshare) => {
    const folder = temporaryFolder()
    const appDir = join(folder, 'mounted')
    const built = join(appDir, 'resources/app.asar')
    mkdirSync(built, { recursive: true })
    cpSync(join(root, 'dist'), join(built, 'dist'), { recursive: true })
    cpSync(join(root, 'package.json'), join(built, 'package.json'))
    symlinkSync(join(root, 'node_modules'), join(built, 'node_modules'))
    const program = (path: string, text: string): void => {
      writeFileSync(path, text)
      chmodSync(path, 0o755)
    }
    program(join(appDir, 'sluice'), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`)
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    program(join(bin, 'unshare'), `#!/bin/sh\n${unshare}\n`)
    const util = createRequire(join(root, 'node_modules/electron-builder/package.json')).resolve(
      'app-builder-lib/out/targets/appimage/appImageUtil.js',
    )
    const packager = createRequire(import.meta.url)(util) as {
      generateAppRunScript(config: object): string
    }
    const appImage = join(folder, 'Sluice.AppImage')
    program(appImage, packager.generateAppRunScript({ ExecutableName: 'sluice', ProductName: 'Sluice' }))

    const { command, args, env } = launcherAt({ ...place, env: { APPIMAGE: appImage } })
    const version = execFileSync(command, [...args, '--version'], {
      encoding: 'utf8',
      env: { ...process.env, ...env, APPDIR: appDir, PATH: `${bin}:${process.env['PATH']}` },
    })
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
  })
})
