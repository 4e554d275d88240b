import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { presentTool } from '../../../electron/engine/tools/present-tool.ts'
import { resolveToolPolicy } from '../../../electron/engine/settings/resolve-policy.ts'
import { Settings } from '../../../shared/settings.ts'

const definition: JsonObject = {
  name: 'find',
  title: 'Find',
  description: 'Finds things.',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string' }, token: { type: 'string' } },
    required: ['query', 'token'],
  },
  'x-unknown': [1],
}

const policyOf = (tool: object) =>
  resolveToolPolicy(
    Settings.parse({ servers: { one: { command: 'x', tools: { find: tool } } } }),
    'one',
    'find',
  )

describe('presentTool', () => {
  test('with nothing configured the very same object comes back', () => {
    expect(presentTool(definition, policyOf({}), { offersGoal: false, client: 'x', listed: new Set() })).toBe(
      definition,
    )
  })

  test("MCPCP fault: its goal was required of every call; here Sluice's parameters are optional", () => {
    const shown = presentTool(definition, policyOf({}), { offersGoal: true, client: 'x', listed: new Set() })
    expect(shown['inputSchema']).toMatchObject({
      required: ['query', 'token'],
      properties: {
        query: {},
        token: {},
        _sluice_goal: { type: 'string' },
        _sluice_bypass: { type: 'boolean' },
      },
    })
    expect(shown['description']).toBe('Finds things.')
  })

  test('MCPCP fault: a goal was asked for where compression was off', () => {
    const policy = policyOf({ compression: { strategy: 'off', goalParameter: 'always' } })
    expect(presentTool(definition, policy, { offersGoal: true, client: 'x', listed: new Set() })).toBe(
      definition,
    )
  })

  test('a hidden parameter leaves properties and required, everything else stays', () => {
    const policy = policyOf({
      hideParameters: ['token'],
      parameterOverrides: { token: 's' },
      description: 'Mine.',
    })
    expect(presentTool(definition, policy, { offersGoal: false, client: 'x', listed: new Set() })).toEqual({
      ...definition,
      description: 'Mine.',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    })
  })
})
