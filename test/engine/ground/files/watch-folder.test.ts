import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import { watchFolder } from '../../../../electron/engine/ground/files/watch-folder.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

test.each(['removed', 'replaced'])(
  'a data folder that is %s while the engine runs is said once',
  async (how) => {
    const dataDir = join(temporaryFolder(), 'data')
    mkdirSync(dataDir)
    const said: string[] = []
    const logger = { ...silentLogger, error: (message: string) => said.push(message) }
    onTestFinished(watchFolder({ dataDir, logger, everyMs: 1 }))
    // Renamed, so that the new folder can't get the old inode number.
    renameSync(dataDir, `${dataDir}-old`)
    if (how === 'replaced') mkdirSync(dataDir)
    await expect.poll(() => said).toEqual([expect.stringContaining(`${dataDir} was removed or replaced`)])
  },
)
