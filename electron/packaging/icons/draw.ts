import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { encodeIcns, encodeIco, type Picture } from './containers.ts'
import { containerFiles, pngFiles } from './icon-files.ts'

/** Into resources/icons (committed): `npm run icons`. Uses Debian's Chromium, or the one in CHROMIUM. */
const folder = resolve(import.meta.dirname, '../../../resources/icons')
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ],
})
try {
  const page = await browser.newPage()
  const picture = async ({ size, svg }: { size: number; svg: string }): Promise<Picture> => {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(`<style>*{margin:0}svg{display:block}</style>${svg}`)
    return { size, png: await page.screenshot({ omitBackground: true }) }
  }

  rmSync(folder, { recursive: true, force: true })
  for (const file of pngFiles) write(file.path, (await picture(file)).png)
  for (const file of containerFiles) {
    const pictures: Picture[] = []
    for (const drawing of file.pictures) pictures.push(await picture(drawing))
    write(file.path, file.path.endsWith('.icns') ? encodeIcns(pictures) : encodeIco(pictures))
  }
} finally {
  await browser.close()
}
process.stdout.write(`Drew ${pngFiles.length + containerFiles.length} files into resources/icons.\n`)

function write(path: string, content: Buffer): void {
  const target = join(folder, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, content)
}
