import { afterAll, beforeAll, expect, test } from 'vitest'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { compressWorld } from '../../helpers/compress-world.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

let world: ReturnType<typeof compressWorld>
beforeAll(() => {
  world = compressWorld(temporaryFolder(afterAll))
})
afterAll(() => world.close())

const filesOf = (length: number) =>
  Array.from({ length }, (_, i) => ({ name: `file-${i}.ts`, type: 'file', bytes: i * 17 }))
const files = filesOf(60)
const tree = JSON.stringify(files, undefined, 2)
const TOO_LARGE = countTokens(JSON.stringify({ content: tree })) - 50
const tool = (outputSchema: JsonObject) => ({
  definition: { name: 'get', inputSchema: { type: 'object' }, outputSchema },
})
const shorten = (text: string, structuredContent: JsonObject, tokenThreshold: number) =>
  world.shorten(
    { content: [{ type: 'text', text }], structuredContent },
    { ...tool({ type: 'object' }), compression: { tokenThreshold } },
  )

test('a text below the threshold passes whole with the half that is larger for its escapes alone', async () => {
  expect(countTokens(tree)).toBeLessThan(TOO_LARGE)
  for (const half of [{ content: tree }, { result: { content: tree }, isError: false }]) {
    const { result, compression } = await shorten(tree, half, TOO_LARGE)
    expect(result).toEqual({ content: [{ type: 'text', text: tree }], structuredContent: half })
    expect(compression).toBeUndefined()
  }
})

test('so does a text that is the half in fewer tokens', async () => {
  const half = { files }
  const text = JSON.stringify(half)
  const { compression } = await shorten(text, half, countTokens(text))
  expect(compression).toBeUndefined()
})

test('a half that says more than its text is shortened', async () => {
  const many = filesOf(600)
  for (const half of [{ files: many }, { files: many, summary: '600 files' }]) {
    const { result, compression } = await shorten('600 files', half, 500)
    expect(compression?.resultId).toBeDefined()
    expect(countTokens(JSON.stringify(result['structuredContent']))).toBeLessThanOrEqual(1000)
  }
})
