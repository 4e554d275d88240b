export interface Picture {
  /** Pixels, square. */
  readonly size: number
  readonly png: Buffer
}

const ICO_HEADER = 6
const ICO_ENTRY = 16

/** At most 256 pixels. */
export function encodeIco(pictures: readonly Picture[]): Buffer {
  const header = Buffer.alloc(ICO_HEADER + ICO_ENTRY * pictures.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(pictures.length, 4)
  let offset = header.length
  pictures.forEach(({ size, png }, i) => {
    const at = ICO_HEADER + ICO_ENTRY * i
    // One byte each; 256 is written as 0.
    header.writeUInt8(size % 256, at)
    header.writeUInt8(size % 256, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(png.length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += png.length
  })
  return Buffer.concat([header, ...pictures.map(({ png }) => png)])
}

/** Throws on an inconsistent file. */
export function decodeIco(file: Buffer): Picture[] {
  if (file.readUInt32LE(0) !== 0x00010000) throw new Error('Not an .ico file: it begins with other bytes.')
  return Array.from({ length: file.readUInt16LE(4) }, (_, i) => {
    const at = ICO_HEADER + ICO_ENTRY * i
    const offset = file.readUInt32LE(at + 12)
    const end = offset + file.readUInt32LE(at + 8)
    if (end > file.length) throw new Error(`Picture ${i} of the .ico file ends behind the file's end.`)
    return { size: file.readUInt8(at) || 256, png: file.subarray(offset, end) }
  })
}

/**
 * A repeated size serves high-density screens. Omits icp4 and icp5 (16 and 32 points), because some versions of macOS
 * show noise for a PNG there; all derive them from ic11 and ic12.
 */
const icnsTypes: readonly (readonly [type: string, size: number])[] = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
]
const ICNS_HEADER = 8

/** Throws if one of the sizes 32, 64, 128, 256, 512, 1024 is missing. */
export function encodeIcns(pictures: readonly Picture[]): Buffer {
  const entries = icnsTypes.map(([type, size]) => {
    const picture = pictures.find((candidate) => candidate.size === size)
    if (!picture) throw new Error(`An .icns file needs a picture of ${size} pixels.`)
    return Buffer.concat([icnsHeader(type, picture.png.length), picture.png])
  })
  const body = Buffer.concat(entries)
  return Buffer.concat([icnsHeader('icns', body.length), body])
}

export function decodeIcns(file: Buffer): (Picture & { type: string })[] {
  if (file.toString('latin1', 0, 4) !== 'icns')
    throw new Error('Not an .icns file: it begins with other bytes.')
  if (file.readUInt32BE(4) !== file.length) throw new Error('The .icns file has another length than it says.')
  const found: (Picture & { type: string })[] = []
  for (let at = ICNS_HEADER; at < file.length; at += file.readUInt32BE(at + 4)) {
    const type = file.toString('latin1', at, at + 4)
    const size = icnsTypes.find(([known]) => known === type)?.[1]
    if (size === undefined) throw new Error(`The .icns file has an entry of the unknown type "${type}".`)
    found.push({ type, size, png: file.subarray(at + ICNS_HEADER, at + file.readUInt32BE(at + 4)) })
  }
  return found
}

function icnsHeader(type: string, length: number): Buffer {
  const header = Buffer.alloc(ICNS_HEADER)
  header.write(type, 'latin1')
  header.writeUInt32BE(ICNS_HEADER + length, 4)
  return header
}
