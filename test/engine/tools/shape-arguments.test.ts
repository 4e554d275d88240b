import { describe, expect, test } from 'vitest'
import type { ToolCall, ToolOutcome } from '../../../electron/engine/message/call.ts'
import { shapeArguments } from '../../../electron/engine/tools/shape-arguments.ts'
import { BUILT_IN_POLICY } from '../../../shared/policy.ts'
import type { ToolPolicy } from '../../../shared/settings.ts'

let latest: ToolOutcome | undefined

async function shape(
  args: Record<string, unknown> | undefined,
  policy: Partial<ToolPolicy> = {},
  definition?: Record<string, unknown>,
): Promise<ToolCall | undefined> {
  const call: ToolCall = {
    id: 'c1',
    clientName: 'cursor',
    sessionId: 's1',
    serverId: 'web',
    tool: 'fetch',
    arguments: args,
    definition,
    policy: {
      ...BUILT_IN_POLICY,
      hidden: false,
      description: undefined,
      hideParameters: [],
      parameterOverrides: {},
      ...policy,
    },
    goal: undefined,
    bypass: false,
    signal: new AbortController().signal,
  }
  let arrived: ToolCall | undefined
  latest = await shapeArguments(async (below) => {
    arrived = below
    return { result: {} }
  })(call)
  return arrived
}

describe('shapeArguments', () => {
  test('the outcome tells what became of the arguments, only where settings changed them', async () => {
    await shape({ url: 'x', _sluice_goal: 'y' })
    expect(latest).not.toHaveProperty('shapedArguments')
    await shape({ url: 'x', raw: true }, { hideParameters: ['raw'], parameterOverrides: { format: 'text' } })
    expect(latest).toMatchObject({ shapedArguments: { url: 'x', format: 'text' } })
  })

  test('with nothing configured the very same arguments go on, also none at all', async () => {
    const args = { url: 'x', nested: { a: [1] } }
    expect((await shape(args))?.arguments).toBe(args)
    expect((await shape(undefined))?.arguments).toBeUndefined()
  })

  test("takes off Sluice's own parameters", async () => {
    const arrived = await shape({ url: 'x', _sluice_goal: ' the price ', _sluice_bypass: true })
    expect(arrived).toMatchObject({ arguments: { url: 'x' }, goal: 'the price', bypass: true })
    expect(arrived?.arguments).toEqual({ url: 'x' })
  })

  test('only true asks for the original, only words are a goal', async () => {
    for (const value of ['true', 1, {}]) {
      expect(await shape({ _sluice_bypass: value, _sluice_goal: value === 1 ? 1 : ' ' })).toMatchObject({
        arguments: {},
        bypass: false,
        goal: undefined,
      })
    }
  })

  test('MCPCP fault: overrides were shallow and knew no nested paths', async () => {
    const sent = { options: { mode: 'slow', keep: 1 }, url: 'x' }
    const parameterOverrides = { 'options.mode': 'fast', 'limits.depth': 2, url: 'y' }
    expect((await shape(sent, { parameterOverrides }))?.arguments).toEqual({
      options: { mode: 'fast', keep: 1 },
      limits: { depth: 2 },
      url: 'y',
    })
    expect(sent).toEqual({ options: { mode: 'slow', keep: 1 }, url: 'x' })
  })

  test("a hidden parameter is not the model's to set", async () => {
    const sent = { url: 'x', force: true, options: { raw: true, keep: 1 } }
    expect((await shape(sent, { hideParameters: ['force', 'options.raw', 'absent'] }))?.arguments).toEqual({
      url: 'x',
      options: { keep: 1 },
    })
    const policy = { hideParameters: ['force'], parameterOverrides: { force: false } }
    expect((await shape(sent, policy))?.arguments).toMatchObject({ force: false })
  })

  test('a path into a prototype reaches nothing', async () => {
    const arrived = await shape({}, { parameterOverrides: { '__proto__.polluted': 1, 'constructor.x': 1 } })
    expect(arrived?.arguments).toEqual({})
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('a hidden tool is unknown', async () => {
    await expect(shape({}, { hidden: true })).rejects.toThrow('Unknown tool: fetch')
  })

  test('MCPCP fault: a hidden required parameter without an override was found at the load of the file only, or never', async () => {
    const definition = {
      inputSchema: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
    }
    await expect(shape({}, { hideParameters: ['url'] }, definition)).rejects.toThrow(
      'The tool "fetch" was not called, because Sluice\'s settings for it don\'t fit: "url" is hidden, but the tool requires it.',
    )
    const policy = { hideParameters: ['url'], parameterOverrides: { url: 'y' } }
    expect((await shape({}, policy, definition))?.arguments).toEqual({ url: 'y' })
  })
})
