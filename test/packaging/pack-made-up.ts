import { join } from 'node:path'
import { readDistSettings } from '../../electron/packaging/dist-settings.ts'
import { pack } from '../../electron/packaging/pack.ts'
import { writeMadeUpElectron } from './made-up-electron.ts'

/** Packs for one system with a fake Electron: `node test/packaging/pack-made-up.ts FOLDER OPTION…`. */
const [folder = '', ...args] = process.argv.slice(2)
const settings = readDistSettings(['--dir', ...args])
await pack(settings, {
  electronDist: writeMadeUpElectron(join(folder, 'electron'), settings.systems[0] ?? 'linux'),
  directories: { output: join(folder, 'packed'), buildResources: 'electron/packaging' },
  // Only a Windows program writes icon and version of a Windows program.
  ...(process.platform !== 'win32' && { win: { signAndEditExecutable: false } }),
})
