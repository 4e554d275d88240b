import { expect, it } from 'vitest'
import { readText } from '../../../../electron/engine/text/readers/registry.ts'

it('reads the JSON behind the names of containers', () => {
  const lines = Array.from(
    { length: 12 },
    (_, i) => `${i % 3 === 0 ? 'api-1' : 'web-1'}  | {"level":"info","n":${i},"msg":"step ${i} | done"}`,
  )
  const reading = readText(lines.join('\n'))
  expect(reading?.format).toBe('json-parts')
  expect(reading?.document.keyNames).toEqual(['level', 'n', 'msg'])
})
