import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { SwitchState } from '../../../shared/api/switch.ts'
import { createEvents } from '../../../electron/engine/ground/events.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { openSwitch, type Switch } from '../../../electron/engine/settings/switch.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const START = 1_700_000_000_000

describe('the switch', () => {
  const open: Switch[] = []
  const openAt = (dataDir: string, now: () => number, watch = false) => {
    const events = createEvents(silentLogger)
    const told: SwitchState[] = []
    events.on('switch-changed', (state) => told.push(state))
    const mainSwitch = openSwitch({ dataDir, now, logger: silentLogger, events, watch })
    open.push(mainSwitch)
    return { mainSwitch, told }
  }
  afterEach(() => open.splice(0).forEach((each) => each.close()))

  it('is on where nobody switched, and writes nothing', () => {
    const dataDir = temporaryFolder()
    expect(openAt(dataDir, () => START).mainSwitch.current).toEqual({ on: true, compressing: true })
    expect(existsSync(join(dataDir, 'switch.json'))).toBe(false)
  })

  it('goes off until somebody acts, and on again', () => {
    const { mainSwitch, told } = openAt(temporaryFolder(), () => START)
    expect(mainSwitch.set({ what: 'everything', on: false })).toEqual({ on: false, compressing: false })
    expect(mainSwitch.set({ what: 'everything', on: true })).toEqual({ on: true, compressing: true })
    expect(told).toEqual([
      { on: false, compressing: false },
      { on: true, compressing: true },
    ])
  })

  it('ends a pause by itself, and what was switched beside it stays', () => {
    let now = START
    const { mainSwitch } = openAt(temporaryFolder(), () => now)
    mainSwitch.set({ what: 'compression', on: false })
    mainSwitch.set({ what: 'everything', on: false, minutes: 60 })
    expect(mainSwitch.current).toEqual({ on: false, compressing: false, offUntil: START + 3_600_000 })
    now += 3_600_000
    expect(mainSwitch.current).toEqual({ on: true, compressing: false })
  })

  it('tells of the end of a pause when it comes', async () => {
    const { mainSwitch, told } = openAt(temporaryFolder(), Date.now, true)
    mainSwitch.set({ what: 'compression', on: false, minutes: 0.01 })
    await expect.poll(() => told.length).toBe(2)
    expect(told[1]).toEqual({ on: true, compressing: true })
  })

  it('follows another process on the same folder', async () => {
    const dataDir = temporaryFolder()
    const { mainSwitch, told } = openAt(dataDir, Date.now, true)
    openAt(dataDir, Date.now).mainSwitch.set({ what: 'everything', on: false })
    await expect.poll(() => told.length).toBe(1)
    expect(mainSwitch.current.on).toBe(false)
  })

  it.each(['', '{', '[]', '{"everything":true}', '{"everything":{"until":"tomorrow"}}', '{"other":1}'])(
    'is on where the file says %j, and switching mends the file',
    (text) => {
      const dataDir = temporaryFolder()
      writeFileSync(join(dataDir, 'switch.json'), text)
      const { mainSwitch } = openAt(dataDir, () => START)
      expect(mainSwitch.current).toEqual({ on: true, compressing: true })
      mainSwitch.set({ what: 'compression', on: false })
      expect(JSON.parse(readFileSync(join(dataDir, 'switch.json'), 'utf8'))).toEqual({
        compression: { until: null },
      })
    },
  )

  it('says so when it can’t be written', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    const { mainSwitch } = openAt(join(folder, 'file'), () => START)
    expect(() => mainSwitch.set({ what: 'everything', on: false })).toThrow(/can't be/)
    expect(mainSwitch.current.on).toBe(true)
  })
})
