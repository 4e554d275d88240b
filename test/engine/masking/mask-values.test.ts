import { describe, expect, test, vi } from 'vitest'
import type { CallTool, ToolCall, ToolOutcome } from '../../../electron/engine/message/call.ts'
import { SluiceError } from '../../../electron/engine/ground/errors.ts'
import { findInTexts } from '../../../electron/engine/masking/find-in-texts.ts'
import type { FindInTexts } from '../../../electron/engine/masking/mask-texts.ts'
import { createSessionMasking, type MaskingOptions } from '../../../electron/engine/masking/masking.ts'
import { loadSearch } from '../../../electron/engine/masking/search.ts'
import { countFromOne } from '../../../electron/engine/masking/vault.ts'
import { RpcError, type JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import type { CustomPattern } from '../../../shared/masking-policy.ts'
import { BUILT_IN_POLICY } from '../../../shared/policy.ts'

const find: FindInTexts = async (input) => findInTexts(input)
const search = await loadSearch()
const masking = (options: Partial<MaskingOptions> = {}) =>
  createSessionMasking({ find, search: () => search, nextNumber: countFromOne(), ...options })

interface CallOptions {
  readonly direction: 'off' | 'from-server' | 'from-model'
  readonly args?: JsonObject
  readonly customPatterns?: Record<string, CustomPattern>
  readonly signal?: AbortSignal
}

const callOf = ({ direction, args, customPatterns = {}, signal }: CallOptions): ToolCall => ({
  id: 'c',
  clientName: 'test',
  sessionId: 's',
  serverId: 'mail',
  tool: 'send',
  arguments: args,
  definition: undefined,
  policy: {
    ...BUILT_IN_POLICY,
    guard: { ...BUILT_IN_POLICY.guard },
    masking: { ...BUILT_IN_POLICY.masking, direction, customPatterns },
    hidden: false,
    description: undefined,
    hideParameters: [],
    parameterOverrides: {},
  },
  goal: undefined,
  bypass: false,
  signal: signal ?? new AbortController().signal,
})

const secret = { to: 'jane@example.org' }
const answering = (result: JsonObject) => vi.fn<CallTool>(async () => ({ result }))

/** The promise's rejection. */
const failureOf = (outcome: Promise<ToolOutcome>): Promise<unknown> =>
  outcome.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('masking fails closed', () => {
  const broken = masking({ find: () => Promise.reject(new Error('at "jane@example.org"')) })

  test('arguments that can not be masked reach no server', async () => {
    const next = answering({})
    const error = await failureOf(
      broken.hideFromServer.call(next)(callOf({ direction: 'from-server', args: secret })),
    )
    expect(error).toMatchObject({
      code: 'CALL_REFUSED',
      message: expect.stringContaining('was not passed on to mail') as string,
    })
    expect(String(error)).not.toContain('jane')
    expect(next).not.toHaveBeenCalled()
  })

  test('a result that can not be masked reaches no client, and the call is made once', async () => {
    const next = answering(secret)
    const error = await failureOf(broken.hideFromModel.call(next)(callOf({ direction: 'from-model' })))
    expect(error).toMatchObject({
      code: 'CALL_REFUSED',
      message: expect.stringContaining('its answer is withheld') as string,
    })
    expect(String(error)).not.toContain('jane')
    expect(next).toHaveBeenCalledOnce()
  })

  test('an error of the server that can not be masked is withheld too', async () => {
    const next: CallTool = () => Promise.reject(new RpcError(-32_000, 'No mail for jane@example.org'))
    const error = await failureOf(broken.hideFromModel.call(next)(callOf({ direction: 'from-model' })))
    expect(error).toMatchObject({ code: 'CALL_REFUSED' })
    expect(String(error)).not.toContain('jane')
  })

  test('numbers that can not be given out, and an answer of the search that lacks a text', async () => {
    const numberless = masking({
      nextNumber: () => {
        throw new Error('database is locked')
      },
    })
    const forgetful = masking({ find: () => Promise.resolve([]) })
    for (const faulty of [numberless, forgetful]) {
      const next = answering({})
      const error = await failureOf(
        faulty.hideFromServer.call(next)(callOf({ direction: 'from-server', args: secret })),
      )
      expect(error).toMatchObject({ code: 'CALL_REFUSED' })
      expect(next).not.toHaveBeenCalled()
    }
  })

  test('a custom pattern that can not be used says which one, and what to do', async () => {
    const customPatterns = { staff: { regex: 'S-(?!1)', placeholder: 'STAFF' } }
    const call = callOf({ direction: 'from-server', args: secret, customPatterns })
    const error = await failureOf(masking().hideFromServer.call(answering({}))(call))
    expect(error).toMatchObject({
      code: 'CALL_REFUSED',
      message: expect.stringContaining('"staff" can\'t be used') as string,
    })
  })
})

describe('what masking lets through', () => {
  test('without a direction everything, untouched', async () => {
    const next = answering(secret)
    const call = callOf({ direction: 'off', args: secret })
    const { hideFromServer, hideFromModel } = masking()
    const outcome = await hideFromServer.call(hideFromModel.call(next))(call)
    expect(next).toHaveBeenCalledWith(call)
    expect(outcome.result).toBe(secret)
  })

  test('calls without arguments, and what other layers noted', async () => {
    const next: CallTool = async (call) => {
      expect(call.arguments).toBeUndefined()
      return { result: {}, cached: true }
    }
    const { hideFromServer, hideFromModel } = masking()
    expect(await hideFromServer.call(next)(callOf({ direction: 'from-server' }))).toEqual({
      result: {},
      cached: true,
    })
    expect(await hideFromModel.call(next)(callOf({ direction: 'from-model' }))).toEqual({
      result: {},
      cached: true,
    })
  })

  test("errors in their kind, with code and data, but for the values; a caller's own cancellation as it is", async () => {
    const { hideFromModel } = masking()
    const failing = (failure: Error) => {
      const next = vi.fn<CallTool>().mockRejectedValue(failure)
      return failureOf(hideFromModel.call(next)(callOf({ direction: 'from-model' })))
    }
    expect(
      await failing(new RpcError(-5, 'to jane@example.org', { to: ['jane@example.org'] })),
    ).toMatchObject({
      code: -5,
      message: 'to [EMAIL_1]',
      data: { to: ['[EMAIL_1]'] },
    })
    const lost = new SluiceError('SERVER_LOST', 'jane@example.org hung up', {
      cause: new Error('jane@example.org'),
    })
    const masked = await failing(lost)
    expect(masked).toMatchObject({ code: 'SERVER_LOST', message: '[EMAIL_1] hung up' })
    expect((masked as Error).cause).toBeUndefined()
    const aborted = AbortSignal.abort()
    const call = callOf({ direction: 'from-model', signal: aborted })
    const reason: unknown = aborted.reason
    expect(await failureOf(hideFromModel.call(() => Promise.reject(reason as Error))(call))).toBe(reason)
  })

  test('answers to questions that a result asked go the way of arguments', async () => {
    const next = answering({})
    const { hideFromServer, hideFromModel } = masking()
    const answered = (direction: CallOptions['direction'], inputResponses: unknown): ToolCall => ({
      ...callOf({ direction }),
      inputResponses,
    })
    await hideFromServer.call(next)(answered('from-server', { q: { email: 'a@x.org' } }))
    await hideFromModel.call(answering({ email: 'b@x.org' }))(answered('from-model', {}))
    await hideFromModel.call(next)(answered('from-model', { q: '[EMAIL_2]' }))
    expect(next.mock.calls.map(([call]) => call.inputResponses)).toEqual([
      { q: { email: '[EMAIL_1]' } },
      { q: 'b@x.org' },
    ])
  })

  test('custom patterns get the name that they were given', async () => {
    const customPatterns = { staff: { regex: 'S-[0-9]+', placeholder: 'STAFF' } }
    const next = answering({})
    await masking().hideFromServer.call(next)(
      callOf({ direction: 'from-server', args: { by: 'S-1 and S-2' }, customPatterns }),
    )
    expect(next.mock.calls[0]?.[0].arguments).toEqual({ by: '[STAFF_1] and [STAFF_2]' })
  })
})
