import { describe, expect, it } from 'vitest'
import { BUILT_IN_GUARD_POLICY, type GuardPolicy } from '../../../shared/guard-policy.ts'
import type { Guard } from '../../../electron/engine/guardrails/guard.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { ATTACK, createTestGuard } from '../../helpers/guard.ts'

const origin = { clientName: 'cursor', serverId: 'web' }
const KEPT = "Sluice withheld the server's text here."

function delivered(
  guard: Guard,
  value: JsonObject,
  policy: Partial<GuardPolicy> = {},
): JsonObject | undefined {
  let shown: JsonObject | undefined
  guard.guardNotification(value, origin, { ...BUILT_IN_GUARD_POLICY, ...policy }, (got) => (shown = got))
  return shown
}

function said(value: JsonObject, policy: Partial<GuardPolicy> = {}) {
  const { guard, attacks } = createTestGuard()
  return { shown: delivered(guard, value, policy), attacks }
}

describe('words of a server beside its results', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    [
      'a log line',
      { level: 'error', logger: ATTACK, data: { a: 1 } },
      { level: 'error', data: KEPT },
      'notifications/message',
    ],
    ['a level', { level: ATTACK, data: 'x' }, { level: 'warning', data: KEPT }, 'notifications/message'],
    [
      'progress',
      { progressToken: 7, progress: 1, total: 2, message: ATTACK },
      { progressToken: 7, progress: 1, total: 2, message: KEPT },
      'notifications/progress',
    ],
    [
      'the name of a number',
      { progressToken: 7, progress: 1, [ATTACK]: 2, [ATTACK.replaceAll(/\W+/g, '_')]: true },
      { progressToken: 7, progress: 1, message: KEPT },
      'notifications/progress',
    ],
    ['anything else', { note: ATTACK, n: 1, is: true, deep: { n: 2 } }, { n: 1, is: true }, 'notification'],
  ])('%s: kept back, by a message of the same kind', (_, value, shown, tool) => {
    const { attacks, ...got } = said(value)
    expect(got.shown).toEqual(shown)
    expect(attacks).toMatchObject([{ where: 'said', client: 'cursor', server: 'web', tool }])
    expect(said(value, { results: 'off' })).toMatchObject({ shown: value, attacks: [] })
    const warned = said(value, { results: 'warn' })
    expect(warned.shown).toEqual(value)
    expect(warned.attacks).toHaveLength(1)
  })

  it('ordinary ones pass, with marks for what hides text', () => {
    expect(said({ level: 'info', data: 'Connected\u001b[2J in 3 ms to the database.' }).shown).toEqual({
      level: 'info',
      data: 'Connected␛[2J in 3 ms to the database.',
    })
    expect(said({ level: 'info', data: 'a\u001b[2J' }).shown).toEqual({ level: 'info', data: 'a␛[2J' })
    expect(said({ uri: 'file:///a' }).shown).toEqual({ uri: 'file:///a' })
  })

  it('what can not be checked does not pass: too long, or a scan that fails', () => {
    const long = { level: 'info', data: 'fine '.repeat(50_000) }
    expect(said(long).shown).toEqual({ level: 'info', data: KEPT })
    const { guard } = createTestGuard({
      scanNow: () => {
        throw new Error('out of memory')
      },
    })
    const line = { level: 'info', data: 'Connected to the database.' }
    expect(delivered(guard, line)).toEqual({ level: 'info', data: KEPT })
  })
})

describe('questions of a server', () => {
  it('that give orders are refused in words that tell the server nothing; the user can read them', async () => {
    const { guard, quarantine, attacks } = createTestGuard()
    const from = { ...origin, tool: 'elicitation/create', arguments: undefined }
    const asked = guard.guardQuestion({ message: ATTACK }, from, BUILT_IN_GUARD_POLICY)
    await expect(asked).rejects.toMatchObject({
      code: 'CALL_REFUSED',
      message: 'The question was not passed on to the client.',
    })
    expect(quarantine.list()).toMatchObject([{ server: 'web', tool: 'elicitation/create' }])
    expect(attacks).toMatchObject([{ where: 'question' }])
    const fine = { message: 'Which\u001b[2J city?' }
    expect(await guard.guardQuestion(fine, from, BUILT_IN_GUARD_POLICY)).toEqual({
      message: 'Which␛[2J city?',
    })
  })
})
