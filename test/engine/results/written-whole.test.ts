import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { compressWorld } from '../../helpers/compress-world.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

test('whoever looks while an original is written sees all of it, or nothing', async () => {
  const { results, folder, close } = compressWorld(temporaryFolder())
  const text = randomBytes(3_000_000).toString('base64')
  const state = { isDone: false }
  const put = results
    .put({
      owner: 'o',
      server: 's',
      tool: 't',
      result: { content: [{ type: 'text', text }] },
      isReadable: true,
    })
    .finally(() => (state.isDone = true))
  const seen = new Map<string, Set<number>>()
  while (!state.isDone) {
    for (const name of namesIn(folder))
      seen.set(name, (seen.get(name) ?? new Set()).add(statSync(join(folder, name)).size))
    await setImmediate()
  }
  await put
  for (const name of namesIn(folder))
    seen.set(name, (seen.get(name) ?? new Set()).add(statSync(join(folder, name)).size))
  expect(seen.size).toBe(2)
  expect([...seen.values()].map((sizes) => sizes.size)).toEqual([1, 1])
  await close()
})

/** Final names only; files being written have other names. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'))
  } catch {
    return []
  }
}
