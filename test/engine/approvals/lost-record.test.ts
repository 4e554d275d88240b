import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openApprovals } from '../../../electron/engine/approvals/open-approvals.ts'
import { approvalsOptions } from '../../../electron/engine/approvals-options.ts'
import { createEvents } from '../../../electron/engine/events.ts'
import { silentLogger } from '../../../electron/engine/logger.ts'
import { parseSettings } from '../../../electron/engine/settings/parse-settings.ts'
import { baseOffer, settings as server } from '../../helpers/approval-gate.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const FIRST_SIGHT = { firstSight: 'trust' } as const

/** A record that trusts what it sees first: the most forgetful way to lose it. */
function open(dataDir: string) {
  const { settings } = parseSettings(JSON.stringify({ servers: { s: server }, approvals: FIRST_SIGHT }))
  if (!settings) throw new Error('unreachable')
  const approvals = openApprovals(
    approvalsOptions({
      dataDir,
      settings: () => settings,
      env: {},
      platform: process.platform,
      homeDir: dataDir,
      tempDir: dataDir,
      events: createEvents(silentLogger),
      logger: silentLogger,
      now: () => 1,
      secrets: undefined,
      fetch,
    }),
  )
  onTestFinished(() => approvals.close())
  return approvals
}

/** A folder in which a server was approved once. */
function approvedFolder(): { dataDir: string; path: string } {
  const dataDir = temporaryFolder()
  const approvals = open(dataDir)
  expect(approvals.check('s', baseOffer).blocked).toBeUndefined()
  approvals.close()
  return { dataDir, path: join(dataDir, 'pins.db') }
}

const emptied = (path: string): void => {
  rmSync(path)
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE other (a)')
  database.close()
}

describe('S4: a record of approvals that is not what it was', () => {
  it.each([
    ['is empty', (path: string) => truncateSync(path, 0)],
    ['has one byte', (path: string) => truncateSync(path, 1)],
    ['is shorter than its header', (path: string) => truncateSync(path, 99)],
    ['has its header alone', (path: string) => truncateSync(path, 100)],
    ['has its first page alone', (path: string) => truncateSync(path, 4096)],
    ['is gone', (path: string) => rmSync(path)],
    ['has no tables', emptied],
  ])('%s: everything is blocked, and says so', (_, harm) => {
    const { dataDir, path } = approvedFolder()
    harm(path)
    const approvals = open(dataDir)
    expect(approvals.check('s', baseOffer).blocked).toMatch(/pins\.db.*--start-anew/)
    expect(approvals.store).toBeUndefined()
  })

  it('a new folder and one of a Sluice that left no mark need no question', () => {
    const { dataDir } = approvedFolder()
    rmSync(join(dataDir, 'pins.begun'))
    expect(open(dataDir).damage).toBeUndefined()
    rmSync(join(dataDir, 'pins.begun'), { force: true })
    expect(open(temporaryFolder()).damage).toBeUndefined()
  })

  it('an empty file blocks without a mark, too: no Sluice leaves one behind', () => {
    const dataDir = temporaryFolder()
    writeFileSync(join(dataDir, 'pins.db'), '')
    expect(open(dataDir).damage).toMatch(/empty/)
    expect(readdirSync(dataDir).filter((name) => name.includes('.new-'))).toEqual([])
  })
})
