import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { crc32, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeIcns, decodeIco, encodeIcns, encodeIco } from '../../electron/packaging/icons/containers.ts'
import {
  containerFiles,
  DOT_COLOUR,
  linuxSizes,
  pngFiles,
  trayColours,
} from '../../electron/packaging/icons/icon-files.ts'
import { trayStates } from '../../electron/packaging/icons/drawings.ts'

const folder = resolve(import.meta.dirname, '../../resources/icons')
const read = (path: string): Buffer => readFileSync(join(folder, path))

describe('the icons in resources/icons', () => {
  it.each(pngFiles)('$path is a picture of $size pixels', ({ path, size }) => {
    expectPicture(read(path), size)
  })

  it.each(containerFiles)('$path holds every size, each a picture', ({ path, pictures }) => {
    const found = path.endsWith('.icns') ? decodeIcns(read(path)) : decodeIco(read(path))
    expect([...new Set(found.map(({ size }) => size))].sort((a, b) => a - b)).toEqual(
      pictures.map(({ size }) => size),
    )
    for (const { size, png } of found) expectPicture(png, size)
  })

  it('are these and no others', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    const wanted = [...pngFiles, ...containerFiles].map(({ path }) => join(folder, path))
    expect(files.sort()).toEqual(wanted.sort())
  })

  it('have every size that the packagers ask for', () => {
    // Windows' installer needs 256, macOS 512 and 1024, Linux menus 16 to 512.
    expect(decodeIco(read('app.ico')).map(({ size }) => size)).toEqual(
      expect.arrayContaining([16, 24, 32, 48, 64, 128, 256]),
    )
    expect(decodeIcns(read('app.icns')).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['ic07', 'ic08', 'ic09', 'ic10', 'ic11', 'ic12', 'ic13', 'ic14']),
    )
    expect(linuxSizes).toEqual(expect.arrayContaining([16, 24, 32, 48, 64, 128, 256, 512]))
    for (const state of trayStates) {
      expectPicture(read(`tray/${state}Template.png`), 18)
      expectPicture(read(`tray/${state}Template@2x.png`), 36)
      expect(decodeIco(read(`tray/${state}.ico`)).map(({ size }) => size)).toEqual(
        expect.arrayContaining([16, 20, 24, 32]),
      )
      for (const size of [16, 22, 24, 32])
        expect(existsSync(join(folder, `tray/${state}-${size}.png`))).toBe(true)
    }
  })

  it('differ in shape from state to state', () => {
    const shapes = trayStates.map((state) => read(`tray/${state}Template@2x.png`).toString('base64'))
    expect(new Set(shapes).size).toBe(trayStates.length)
  })

  it.each([...Object.values(trayColours), DOT_COLOUR])('%s shows on light and on dark bars', (colour) => {
    for (const bar of ['#ffffff', '#1c1c1c', '#2d2d30']) expect(contrast(colour, bar)).toBeGreaterThan(3)
  })
})

describe('the containers', () => {
  const pictures = [32, 64, 128, 256, 512, 1024].map((size) => ({
    size,
    png: Buffer.from(`picture ${size}`),
  }))

  it('give back what went in', () => {
    const small = pictures.filter(({ size }) => size <= 256)
    expect(decodeIco(encodeIco(small))).toEqual(small)
    for (const { size, png } of decodeIcns(encodeIcns(pictures)))
      expect(png.toString()).toBe(`picture ${size}`)
  })

  it('name the size that is missing', () => {
    expect(() => encodeIcns(pictures.slice(1))).toThrow('32 pixels')
  })

  it('refuse files that contradict themselves', () => {
    const whole = encodeIco(pictures.slice(0, 2))
    expect(() => decodeIco(whole.subarray(0, whole.length - 1))).toThrow("behind the file's end")
    expect(() => decodeIcns(encodeIcns(pictures).subarray(0, 100))).toThrow('another length')
  })
})

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Checks a whole PNG: check sums, size, pixel count, and more than one colour. */
function expectPicture(png: Buffer, size: number): void {
  expect(png.subarray(0, 8)).toEqual(SIGNATURE)
  const data: Buffer[] = []
  let ended = false
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    const content = png.subarray(at + 8, at + 8 + length)
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(png.subarray(at + 4, at + 8 + length)))
    if (type === 'IHDR') {
      expect([content.readUInt32BE(0), content.readUInt32BE(4)]).toEqual([size, size])
      // Eight bits each for red, green, blue and opacity.
      expect([content[8], content[9]]).toEqual([8, 6])
    }
    if (type === 'IDAT') data.push(content)
    ended = type === 'IEND'
    at += length + 12
  }
  expect(ended).toBe(true)
  const rows = inflateSync(Buffer.concat(data))
  expect(rows.length).toBe(size * (1 + 4 * size))
  expect(new Set(rows).size).toBeGreaterThan(4)
}

/** WCAG contrast ratio of two colours. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
