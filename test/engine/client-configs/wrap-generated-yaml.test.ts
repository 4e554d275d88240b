import * as fc from '../../helpers/properties.ts'
import { stringify } from 'yaml'
import { describe, expect, test } from 'vitest'
import { asFile, look, rest, roundTrip, servers } from './generated-files.ts'

const FILES = 30

describe('generated files: wrapped and unwrapped, every byte back', () => {
  test('YAML files', async () => {
    let wrapped = 0
    await fc.assert(
      fc.asyncProperty(servers, rest, look, async (map, others, how) => {
        const list = Object.entries(map).map(([name, item]) => ({ name, ...item }))
        const content = stringify(
          { ...others, mcpServers: list },
          {
            indent: how.random() < 0.5 ? 2 : 4,
            indentSeq: how.random() < 0.5,
            lineWidth: how.random() < 0.5 ? 0 : 20,
            collectionStyle: how.random() < 0.2 ? 'flow' : 'any',
            defaultStringType: how.random() < 0.5 ? 'PLAIN' : 'QUOTE_DOUBLE',
            aliasDuplicateObjects: false,
          },
        )
        const anew = (read: unknown) => stringify(read, { aliasDuplicateObjects: false })
        if (await roundTrip('/f/config.yaml', 'continue', asFile(content, { ...how, mark: false }), anew))
          wrapped++
      }),
      { numRuns: FILES },
    )
    expect(wrapped).toBeGreaterThan(FILES / 3)
  })
})
