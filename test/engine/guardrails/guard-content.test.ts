import { describe, expect, it } from 'vitest'
import { messageOf } from '../../../electron/engine/ground/errors.ts'
import type { AttackFound } from '../../../electron/engine/guardrails/guard.ts'
import { RpcError, type JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { BUILT_IN_GUARD_POLICY } from '../../../shared/guard-policy.ts'
import { ATTACK, createTestGuard, TELLTALE } from '../../helpers/guard.ts'

const base64 = (value: string): string => Buffer.from(value).toString('base64')

describe('what is no tool result', () => {
  const origin = { clientName: 'cursor', serverId: 'web', tool: 'prompts/get hello', arguments: undefined }

  it.each<[string, JsonObject]>([
    ['a resource', { contents: [{ uri: 'x:a', text: ATTACK }] }],
    ['a resource in base64', { contents: [{ uri: 'x:a', mimeType: 'text/plain', blob: base64(ATTACK) }] }],
    ['a prompt', { messages: [{ role: 'user', content: { type: 'text', text: ATTACK } }] }],
    ['a prompt’s description', { description: ATTACK, messages: [] }],
    [
      'a resource within a prompt',
      {
        messages: [
          { role: 'user', content: { type: 'resource', resource: { uri: 'x', blob: base64(ATTACK) } } },
        ],
      },
    ],
  ])('CP fault: %s is guarded like a result', async (_, value) => {
    const { guard, quarantine, attacks } = createTestGuard()
    const refusal = await guard
      .guardContent(value, origin, BUILT_IN_GUARD_POLICY)
      .catch((error: unknown) => error)
    const id = quarantine.list()[0]?.id
    expect(refusal).toMatchObject({ code: 'CALL_REFUSED', data: { quarantineId: id } })
    expect(messageOf(refusal)).not.toContain(TELLTALE)
    expect(await quarantine.load(id ?? '')).toEqual(value)
    expect(attacks).toMatchObject<Partial<AttackFound>[]>([{ where: 'result', tool: 'prompts/get hello' }])
  })

  it('its errors are guarded too', async () => {
    const { guard } = createTestGuard()
    const fail = (message: string) =>
      guard.guardError(new RpcError(-32002, message), origin, BUILT_IN_GUARD_POLICY)
    expect(await fail(ATTACK)).toMatchObject({ code: 'CALL_REFUSED' })
    expect(await fail('not\u001b[2J found')).toMatchObject({ code: -32002, message: 'not␛[2J found' })
  })

  it('is shown without what hides, with a note in its text and the original kept', async () => {
    const { guard } = createTestGuard()
    const show = (value: JsonObject) => guard.showContent(value, origin, BUILT_IN_GUARD_POLICY)
    expect(await show({ contents: [{ uri: 'x:a', text: 'h\u001b[2Jello' }] })).toEqual({
      contents: [
        { uri: 'x:a', text: expect.stringMatching(/^hello\n\[Sluice took out .* id: r_kept;/) as string },
      ],
    })
    const prompt = { messages: [{ role: 'user', content: { type: 'text', text: 'a\u001b[2Jb' } }] }
    expect(await show(prompt)).toMatchObject({
      messages: [
        { content: { text: 'ab' } },
        { role: 'user', content: { text: expect.stringMatching(/r_kept/) as string } },
      ],
    })
    // Can only be reported in place.
    const completion = { completion: { values: ['a\u001b[2Jb'] } }
    expect(await show(completion)).toEqual({ completion: { values: ['a␛[2Jb'] } })
    const harmless = { contents: [{ uri: 'x:a', text: 'h\u001b[1mello\f' }] }
    expect(await show(harmless)).toBe(harmless)
  })
})
