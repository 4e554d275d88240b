import * as fc from '../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { asFile, file, look, roundTrip } from './generated-files.ts'
import { printJson } from './print-json.ts'

const FILES = 40

describe('generated files: wrapped and unwrapped, every byte back', () => {
  test('JSON and JSONC files, others each time', async () => {
    let wrapped = 0
    await fc.assert(
      fc.asyncProperty(file, look, async (value, how) => {
        const content = asFile(printJson(value, how.random), how)
        const anew = (read: unknown) => JSON.stringify(read, null, 4)
        if (await roundTrip('/f/mcp.json', 'cursor', content, anew)) wrapped++
      }),
      { numRuns: FILES },
    )
    expect(wrapped).toBeGreaterThan(FILES / 3)
  })
})
