import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

test('serve says once what of the settings is not in effect', async () => {
  const dataDir = writeConfig(join(temporaryFolder(), 'data'), { misspelt: { url: 'not an address' } })
  const engine = await startEngine(dataDir)
  await engine.stop()
  expect(engine.output().match(/servers\.misspelt/g)).toHaveLength(1)
})
