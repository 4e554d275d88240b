import { describe, expect, test } from 'vitest'
import { resolveServerPolicy, resolveToolPolicy } from '../../../electron/engine/settings/resolve-policy.ts'
import { Settings } from '../../../shared/settings.ts'
import { BUILT_IN_POLICY } from '../../../shared/policy.ts'

const settings = Settings.parse({
  compression: { tokenThreshold: 3000, maxOutputTokens: 1500 },
  toolList: { schemas: 'plain' },
  masking: {
    direction: 'from-server',
    types: ['email'],
    customPatterns: { staff: { regex: 'S-\\d+', placeholder: 'STAFF' } },
  },
  servers: {
    a: {
      command: 'x',
      compression: { maxOutputTokens: 700, goalParameter: undefined },
      cache: { ttlSeconds: 5 },
      toolList: { slim: true },
      tools: {
        t: {
          hidden: true,
          description: 'd',
          hideParameters: ['p'],
          parameterOverrides: { p: 1 },
          compression: { strategy: 'preview' },
          cache: { enabled: true },
          masking: { customPatterns: { order: { regex: 'O-\\d+', placeholder: 'ORDER' } } },
        },
      },
    },
  },
})

describe('resolveToolPolicy', () => {
  test('lays built-in, global, server and tool over each other, key by key', () => {
    expect(resolveToolPolicy(settings, 'a', 't')).toEqual({
      toolList: { schemas: 'plain', slim: true, lazy: false },
      compression: {
        ...BUILT_IN_POLICY.compression,
        strategy: 'preview',
        summary: 'with-extract',
        tokenThreshold: 3000,
        maxOutputTokens: 700,
        goalParameter: 'auto',
        resources: true,
      },
      cache: { ...BUILT_IN_POLICY.cache, enabled: true, ttlSeconds: 5 },
      guard: BUILT_IN_POLICY.guard,
      masking: {
        direction: 'from-server',
        types: ['email'],
        customPatterns: {
          staff: { regex: 'S-\\d+', placeholder: 'STAFF' },
          order: { regex: 'O-\\d+', placeholder: 'ORDER' },
        },
      },
      hidden: true,
      description: 'd',
      hideParameters: ['p'],
      parameterOverrides: { p: 1 },
    })
  })

  test('a tool without settings has those of its server', () => {
    expect(resolveToolPolicy(settings, 'a', 'other')).toEqual({
      ...resolveServerPolicy(settings, 'a'),
      hidden: false,
      description: undefined,
      hideParameters: [],
      parameterOverrides: {},
    })
  })

  test('without settings the built-in policy stands, the cache off: a repeated write must be executed', () => {
    const policy = resolveToolPolicy(Settings.parse({}), 'a', 't')
    expect(policy).toMatchObject(BUILT_IN_POLICY)
    expect(policy.cache.enabled).toBe(false)
  })

  test("names of objects' own methods find no settings", () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(resolveToolPolicy(settings, name, name)).toMatchObject({ hidden: false, hideParameters: [] })
      expect(resolveToolPolicy(settings, 'a', name)).toMatchObject({ hidden: false, description: undefined })
    }
  })
})
