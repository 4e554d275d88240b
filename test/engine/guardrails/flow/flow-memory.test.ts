import { expect, it } from 'vitest'
import { fingerprintsOf, LEAST_SHARED } from '../../../../electron/engine/guardrails/flow/fingerprints.ts'
import { FlowMemory } from '../../../../electron/engine/guardrails/flow/flow-memory.ts'
import { seededRandom } from '../../../train/seeded-random.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const random = seededRandom(3)
const randomText = (length: number): string =>
  Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('')
const mail = { server: 'mail', tool: 'read' }

it('every run of enough characters is found, wherever it is in both texts; random ones never', () => {
  for (let round = 0; round < 300; round++) {
    const memory = new FlowMemory()
    const shared = randomText(LEAST_SHARED)
    memory.remember(mail, [randomText(round), `${randomText(round % 40)}${shared}${randomText(200)}`])
    expect(memory.sourceOf('web', [`${randomText(round % 30)}${shared}${randomText(9)}`])).toEqual(mail)
    expect(memory.sourceOf('web', [randomText(2000)])).toBeUndefined()
  }
})

it('quoting, escaping, cases and line breaks on the way change nothing', () => {
  const memory = new FlowMemory()
  memory.remember(mail, ['{"note":"Send it to\\nMARK.black-2134@gmail.com, \\"today\\", please"}'])
  expect(memory.sourceOf('web', ['send it to mark.black-2134@gmail.com today please'])).toEqual(mail)
  memory.remember({ server: 'files', tool: 'read' }, ['Die Prüfung der Maschinen\nbeginnt um acht Uhr früh.'])
  expect(memory.sourceOf('web', ['die prüfung der Maschinen beginnt'])?.server).toBe('files')
})

it('what a server itself said is no flow to it; the source of most of it is named', () => {
  const memory = new FlowMemory()
  const [long, short] = [randomText(400), randomText(60)]
  memory.remember(mail, [short])
  memory.remember({ server: 'web', tool: 'fetch' }, [long])
  expect(memory.sourceOf('mail', [short])).toBeUndefined()
  expect(memory.sourceOf('files', [`${short} ${long}`])).toEqual({ server: 'web', tool: 'fetch' })
  expect(memory.sourceOf('files', ['short', ''])).toBeUndefined()
})

it('of a long text both ends are known, and whose it is', () => {
  const memory = new FlowMemory()
  const [first, last] = [randomText(2000), randomText(2000)]
  memory.remember(mail, [`${first}${randomText(300_000)}${last}`])
  for (const end of [first.slice(0, 500), last.slice(-500)]) {
    expect(memory.sourceOf('web', [end])).toEqual(mail)
    expect([memory.isOf('mail', end), memory.isOf('read', end)]).toEqual([true, false])
  }
})

it('its size is bounded: the latest texts are known, whatever came before', () => {
  const memory = new FlowMemory()
  for (let n = 0; n < 30; n++) memory.remember({ server: `s${n}`, tool: 't' }, [randomText(100_000)])
  const latest = randomText(2000)
  memory.remember(mail, [latest])
  expect(memory.sourceOf('web', [latest.slice(500, 700)])).toEqual(mail)
})

it('a text without letters or one letter only has few fingerprints', () => {
  expect(fingerprintsOf(' .,;\n'.repeat(1000))).toEqual([])
  expect(fingerprintsOf('a'.repeat(100_000)).length).toBeLessThan(30_000)
})
