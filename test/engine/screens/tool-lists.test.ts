import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import type { ListForm } from '../../../shared/api/tools.ts'
import { startScreensWorld } from '../../helpers/screens-world.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { testServer } from '../../helpers/upstream.ts'

const toolNamed = (name: string): JsonObject => ({
  name,
  description: `This tool is a useful tool that makes the ${name}.`,
  inputSchema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { where: { type: 'string', title: 'Where', description: 'The place where it is made' } },
    additionalProperties: false,
  },
})

test('a long list is named with what it costs in each form, which is what clients then get, and changed by one call', async () => {
  const offer = join(temporaryFolder(), 'offer.json')
  const tools = Array.from({ length: 41 }, (_, n) => toolNamed(`thing_${n}`))
  writeFileSync(offer, JSON.stringify({ tools, silent: true }))
  const world = await startScreensWorld(
    { many: testServer('changeable', offer), few: testServer('surroundings') },
    { approvals: { firstSight: 'trust' } },
  )
  const listed = async (): Promise<number> => {
    const ask = await world.connect('many')
    const { tools: seen } = (await ask('tools/list')) as { tools: JsonObject[] }
    return seen.reduce((sum, tool) => sum + countTokens(JSON.stringify(tool)), 0)
  }
  await listed()
  const few = await world.connect('few')
  await few('tools/list')
  const [many, other] = await world.http.tools.lists({})
  expect(other).toMatchObject({ server: 'few', isLong: false })
  expect(many).toMatchObject({ server: 'many', tools: 41, form: 'whole', isLong: true })
  const tokens = many?.tokens ?? { whole: 0, slim: 0, lazy: 0 }
  expect(tokens.lazy).toBeLessThan(300)
  expect(tokens.slim).toBeLessThan(tokens.whole * 0.7)
  for (const form of ['slim', 'lazy', 'whole'] as const satisfies ListForm[]) {
    await world.http.tools.setList({ server: 'many', form })
    expect(await world.http.tools.lists({ server: 'many' })).toMatchObject([{ form, tokens, isLong: true }])
    // Counted as approved, with keys in canonical order, which changes a token here and there.
    await expect.poll(async () => Math.round((10 * (await listed())) / tokens[form])).toBe(10)
  }
  await expect(world.http.tools.lists({ server: 'none' })).rejects.toThrow(/no server "none"/)
})
