import * as fc from '../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import type { CallTool, ToolCall } from '../../../electron/engine/message/call.ts'
import { findInTexts } from '../../../electron/engine/masking/find-in-texts.ts'
import { createSessionMasking } from '../../../electron/engine/masking/masking.ts'
import { countFromOne } from '../../../electron/engine/masking/vault.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { BUILT_IN_POLICY } from '../../../shared/policy.ts'
import { jsonWithValues } from '../../helpers/personal-values.ts'

/** Three thousand in total, others each time. */
const RUNS = 1500

const callOf = (direction: 'from-server' | 'from-model', args: JsonObject): ToolCall => ({
  id: 'c',
  clientName: 'test',
  sessionId: 's',
  serverId: 'server',
  tool: 'echo',
  arguments: args,
  definition: undefined,
  policy: {
    ...BUILT_IN_POLICY,
    guard: { ...BUILT_IN_POLICY.guard },
    masking: { ...BUILT_IN_POLICY.masking, direction },
    hidden: false,
    description: undefined,
    hideParameters: [],
    parameterOverrides: {},
  },
  goal: undefined,
  bypass: false,
  signal: new AbortController().signal,
})

const resultOf = (value: unknown): JsonObject => ({
  content: [
    { type: 'text', text: JSON.stringify(value) },
    { type: 'resource', resource: { uri: 'x:1', text: typeof value === 'string' ? value : 'none' } },
  ],
  structuredContent: { value },
  _meta: { 'example.org/value': value },
})

const start = () =>
  createSessionMasking({
    find: async (input) => findInTexts(input),
    search: () => undefined,
    nextNumber: countFromOne(),
  })

/** Values in the strings of what was seen; keys and numbers are never masked. */
function seenIn(value: unknown, values: readonly string[]): string[] {
  const strings: string[] = []
  const collect = (item: unknown): void => {
    if (typeof item === 'string') strings.push(item)
    else if (typeof item === 'object' && item !== null) Object.values(item).forEach(collect)
  }
  collect(value)
  // Keys of JSON inside a string are keys too.
  const shown = strings.join('\n').replaceAll(/"a@b\.org\\*":/g, '')
  return values.filter((personal) => shown.includes(personal))
}

describe('round trips', () => {
  test('from-server: the server sees no value, and the client gets back what it sent', async () => {
    const property = fc.asyncProperty(jsonWithValues, async ({ json, values }) => {
      const masking = start()
      let seen: unknown
      const server: CallTool = async (call) => {
        seen = call.arguments
        return { result: resultOf(call.arguments?.['value']) }
      }
      const { result } = await masking.hideFromServer.call(server)(callOf('from-server', { value: json }))
      expect(seenIn(seen, values)).toEqual([])
      expect(JSON.stringify(result)).toBe(JSON.stringify(resultOf(json)))
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  test('from-model: the client sees no value, and what it passes on is real again', async () => {
    const property = fc.asyncProperty(jsonWithValues, async ({ json, values }) => {
      const masking = start()
      let seen: unknown
      const server: CallTool = async (call) => {
        seen = call.arguments
        return { result: resultOf(json) }
      }
      const call = masking.hideFromModel.call(server)
      const { result } = await call(callOf('from-model', {}))
      expect(seenIn(result, values)).toEqual([])
      await call(callOf('from-model', { passedOn: result }))
      expect(JSON.stringify(seen)).toBe(JSON.stringify({ passedOn: resultOf(json) }))
    })
    await fc.assert(property, { numRuns: RUNS })
  })
})
