import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { strict } from './strict.ts'

/** Reads a picture as Electron would, but throws on an invalid file, which Electron makes empty. */
function createFromPath(path: string): NativeImage {
  if (!existsSync(path)) throw new Error(`The app uses a picture that is not there: ${path}`)
  const bytes = readFileSync(path)
  const isPng = bytes.subarray(1, 4).toString('latin1') === 'PNG'
  const isIco = bytes.readUInt32LE(0) === 0x0001_0000
  if (!isPng && !isIco) throw new Error(`The app uses a picture that is none: ${path}`)
  const size = isPng
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : { width: bytes[6] ?? 0, height: bytes[7] ?? 0 }
  let isTemplate = false
  return strict('NativeImage', {
    getSize: () => size,
    isEmpty: () => false,
    setTemplateImage: (option: boolean): void => void (isTemplate = option),
    isTemplateImage: () => isTemplate,
    // Not Electron's: shows the test which one is used.
    _name: basename(path),
  })
}

export interface NativeImage {
  getSize(): { width: number; height: number }
  isEmpty(): boolean
  setTemplateImage(option: boolean): void
  isTemplateImage(): boolean
  readonly _name: string
}

export const nativeImage = strict('nativeImage', { createFromPath })
