/**
 * `npm run screenshots`: fills the screens with a week of real calls and saves a picture of every screen and state,
 * light and dark, to the given folder (default screenshots/). `-- FOLDER replay,tools` takes those alone. `-- --crowd
 * FOLDER`: a crowded engine instead, in three sizes of window, with the six pictures of a screen on one sheet.
 * For viewing; nothing is compared.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findBrowser, startBrowser } from '../helpers/browser.ts'
import { startCrowd } from './crowd.ts'
import { crowdShots, crowdSizes } from './crowd-shots.ts'
import { startShowcase } from './showcase.ts'
import { shots } from './shots.ts'
import { drawSheets } from './draw-sheets.ts'
import { openPage, takeShots } from './take-shots.ts'

const { values, positionals } = parseArgs({
  options: { crowd: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [target = 'screenshots', only = ''] = positionals
const executable = findBrowser()
if (executable === undefined) throw new Error('There is no browser to take pictures with.')
const folder = mkdtempSync(join(tmpdir(), 'sluice-show-'))
const out = resolve(target)
mkdirSync(out, { recursive: true })
const isWanted = ({ name }: { name: string }): boolean => only.split(',').some((part) => name.includes(part))
const browser = await startBrowser(executable)
try {
  if (values.crowd) {
    const crowd = await startCrowd(folder)
    const page = await openPage(browser, crowd)
    await takeShots(page, crowd, crowdShots.filter(isWanted), { out, sizesOf: () => crowdSizes })
    await drawSheets(page, out)
    await crowd.stop()
  } else {
    const showcase = await startShowcase(folder)
    const page = await openPage(browser, showcase)
    await takeShots(page, showcase, shots.filter(isWanted), {
      out,
      sizesOf: ({ widths = [1280] }) => widths.map((width) => ({ width, height: width > 2000 ? 1300 : 800 })),
    })
    await showcase.stop()
  }
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
