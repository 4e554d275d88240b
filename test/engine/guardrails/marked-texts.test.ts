import { expect, it } from 'vitest'
import type { GuardPolicy } from '../../../shared/guard-policy.ts'
import { composeOnce } from '../../../electron/engine/message/call.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { ATTACK, createTestGuard, toolCall } from '../../helpers/guard.ts'

const NOTE = /^\[Sluice: part of this reads like orders to a model\./
/** What is too uncertain for the quarantine: everything, in these tests. */
const UNCERTAIN: Partial<GuardPolicy> = { threshold: 1, markFrom: 0.3 }
const poisoned = { type: 'text', text: ATTACK }
const note = { type: 'text', text: expect.stringMatching(NOTE) as string }

const pass = async (result: JsonObject, policy: Partial<GuardPolicy>) => {
  const { guard, attacks } = createTestGuard()
  const run = composeOnce([guard.guardShortened, guard.guardResult])(() => Promise.resolve({ result }))
  return { ...(await run(toolCall(policy))), attacks }
}

it('an uncertain result passes as it came, with a last text that says what it is', async () => {
  const { result, isMarked, attacks } = await pass(
    { content: [poisoned], structuredContent: { a: 1 } },
    UNCERTAIN,
  )
  expect(result).toEqual({ content: [poisoned, note], structuredContent: { a: 1 } })
  expect(isMarked).toBe(true)
  // Nobody is called to look at it.
  expect(attacks).toEqual([])
})

it.each([
  ['a harmless one', 'Open from Tuesday to Saturday.', UNCERTAIN],
  ['one below the score', ATTACK, { threshold: 1, markFrom: 1 }],
  ['one where attacks are only noted', ATTACK, { ...UNCERTAIN, results: 'warn' }],
  ['one that nobody looks at', ATTACK, { ...UNCERTAIN, results: 'off' }],
] as const)('not so %s', async (_what, text, policy) => {
  const whole = { content: [{ type: 'text', text }] }
  const { result, isMarked } = await pass(whole, policy)
  expect(result).toEqual(whole)
  expect(isMarked).toBeUndefined()
})

it('what has no place for a note passes without', async () => {
  const half = { structuredContent: { text: ATTACK } }
  expect((await pass(half, UNCERTAIN)).result).toEqual(half)
})

it.each([
  [
    {
      contents: [
        { uri: 'a://b', text: 'x' },
        { uri: 'a://c', text: ATTACK },
      ],
    },
    ['contents', 1, 'text'],
  ],
  [{ messages: [{ role: 'user', content: poisoned }] }, ['messages', 1, 'content', 'text']],
  [{ content: [poisoned] }, ['content', 1, 'text']],
])('resources, prompts and parts of originals have it, too', async (value: JsonObject, path) => {
  const { guard } = createTestGuard()
  const origin = { clientName: 'c', serverId: 's', tool: 't', arguments: undefined }
  const { policy } = toolCall(UNCERTAIN)
  const shown = await guard.guardContent(value, origin, policy.guard)
  const last = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], shown)
  expect(String(last).split('\n').at(-1)).toMatch(NOTE)
})
