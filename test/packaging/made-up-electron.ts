import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type * as ResEdit from 'resedit'
import type { System } from '../../electron/packaging/dist-settings.ts'

/**
 * A folder that packagers accept as Electron's: the files that are renamed, edited and hardened have the real format,
 * but run nothing, since Electron itself is not available on every machine.
 */
export function writeMadeUpElectron(folder: string, system: System): string {
  const write = (path: string, content: string | Buffer, mode = 0o644) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content, { mode })
  }
  if (system === 'linux') write('electron', Buffer.concat([Buffer.from('#!/bin/sh\nexit 0\n'), fuses]), 0o755)
  if (system === 'win') write('electron.exe', Buffer.concat([windowsProgram(), fuses]))
  if (system === 'mac') {
    write('Electron.app/Contents/Info.plist', plist('Electron'))
    write('Electron.app/Contents/MacOS/Electron', 'nothing', 0o755)
    write(`Electron.app/Contents/${FRAMEWORK}`, fuses, 0o755)
    for (const kind of ['', ' (GPU)', ' (Renderer)', ' (Plugin)']) {
      const helper = `Electron Helper${kind}`
      const contents = `Electron.app/Contents/Frameworks/${helper}.app/Contents`
      write(`${contents}/Info.plist`, plist(helper))
      write(`${contents}/MacOS/${helper}`, 'nothing', 0o755)
    }
    for (const language of ['en', 'de']) {
      write(`Electron.app/Contents/Resources/${language}.lproj/locale.pak`, 'x')
      write(
        `Electron.app/Contents/${dirname(FRAMEWORK)}/Versions/A/Resources/${language}.lproj/locale.pak`,
        'x',
      )
    }
  } else {
    for (const language of ['en-US', 'de', 'fr']) write(`locales/${language}.pak`, 'x')
  }
  write('version', '45.4.1')
  return folder
}

const FRAMEWORK = 'Frameworks/Electron Framework.framework/Electron Framework'

/** The fuse marker in Electron's program, version, number, and the defaults of version 45. */
const fuses = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('101110011'),
])

const plist = (name: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>CFBundleExecutable</key><string>${name}</string></dict></plist>
`

/** An empty program with a version, into which the archive's check sum can be written. */
function windowsProgram(): Buffer {
  const builder = createRequire(createRequire(import.meta.url).resolve('app-builder-lib'))
  const { NtExecutable, NtExecutableResource, Resource } = builder('resedit') as typeof ResEdit
  const program = NtExecutable.createEmpty()
  const resource = NtExecutableResource.from(program)
  const version = Resource.VersionInfo.createEmpty()
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' })
  version.outputToResourceEntries(resource.entries)
  resource.outputResource(program)
  return Buffer.from(program.generate())
}
