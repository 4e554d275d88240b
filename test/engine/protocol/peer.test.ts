import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { IncomingRequest, RpcPeerHandlers } from '../../../electron/engine/protocol/peer.ts'
import { RequestCancelled, RpcPeer } from '../../../electron/engine/protocol/peer.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { RpcError, RpcErrorCode } from '../../../electron/engine/protocol/json-rpc.ts'
import { linkedChannels } from '../../helpers/linked-channels.ts'
import { turns } from '../../helpers/turns.ts'

async function pair(handlers: Partial<RpcPeerHandlers>) {
  const [left, right] = linkedChannels()
  const notifications: [string, JsonObject | undefined][] = []
  const errors: Error[] = []
  const closes: Error[] = []
  const collecting: RpcPeerHandlers = {
    onRequest: async () => ({}),
    onNotification: (method, params) => notifications.push([method, params]),
    onError: (error) => errors.push(error),
    onClose: (error) => closes.push(error),
  }
  const client = new RpcPeer(left, collecting)
  const server = new RpcPeer(right, { ...collecting, ...handlers })
  await client.start()
  await server.start()
  return { client, server, left, right, notifications, errors, closes }
}

describe('requests', () => {
  test('are paired with their answers, whatever the order, unknown fields kept', async () => {
    const { client } = await pair({
      onRequest: async ({ method, params }) => {
        if (method === 'slow') await turns()
        return { method, params, 'x-unknown': [1, { a: null }] }
      },
    })
    const answers = await Promise.all([client.request('slow', { n: 1 }), client.request('fast', undefined)])
    expect(answers).toEqual([
      { method: 'slow', params: { n: 1 }, 'x-unknown': [1, { a: null }] },
      { method: 'fast', params: undefined, 'x-unknown': [1, { a: null }] },
    ])
  })

  test('fail with the code, message and data of the error answered', async () => {
    const { client } = await pair({
      onRequest: async ({ method }) => {
        if (method === 'rpc') throw new RpcError(-32042, 'Needs a URL', { elicitations: [1] }, { hint: 'a' })
        throw new TypeError('broke')
      },
    })
    await expect(client.request('rpc', {})).rejects.toMatchObject({
      code: -32042,
      message: 'Needs a URL',
      data: { elicitations: [1] },
      others: { hint: 'a' },
    })
    await expect(client.request('other', {})).rejects.toMatchObject({
      code: RpcErrorCode.internal,
      message: 'broke',
    })
  })

  test('double answers and answers to unknown ids change nothing', async () => {
    const { client, right, errors } = await pair({ onRequest: () => new Promise(() => {}) })
    const answer = client.request('x', undefined)
    await right.send({ jsonrpc: '2.0', id: 1, result: { first: true } })
    await right.send({ jsonrpc: '2.0', id: 1, result: { second: true } })
    await right.send({ jsonrpc: '2.0', id: 'none', error: { code: 1, message: 'no' } })
    expect(await answer).toEqual({ first: true })
    await turns()
    expect(errors).toHaveLength(2)
  })

  test('a channel that cannot send fails the request', async () => {
    const { client, left } = await pair({})
    left.send = async () => {
      throw new Error('disk on fire')
    }
    await expect(client.request('x', undefined)).rejects.toThrow('disk on fire')
  })
})

test('an error keeps the order of its members, also in other words', () => {
  const error = new RpcError(-32042, 'No.', 1, { hint: 'a', why: 'b' }, [
    'why',
    'data',
    'hint',
    'code',
    'message',
  ])
  const other = error.saying({ ...error.fields, message: 'Yes.' })
  expect(JSON.stringify(error.toWire())).toBe('{"why":"b","data":1,"hint":"a","code":-32042,"message":"No."}')
  expect(JSON.stringify(other.toWire())).toBe(
    '{"why":"b","data":1,"hint":"a","code":-32042,"message":"Yes."}',
  )
})

test('an id that is used again while it is in flight: each request gets its answer', async () => {
  const answers = new Map<unknown, (result: JsonObject) => void>()
  const { left, right } = await pair({
    onRequest: ({ params }) => new Promise((resolve) => answers.set(params?.['n'], resolve)),
  })
  for (const n of [1, 2, 3]) await left.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { n } })
  await turns()
  for (const n of [2, 1, 3]) answers.get(n)?.({ n })
  await turns()
  expect(right.sent).toEqual([2, 1, 3].map((n) => ({ jsonrpc: '2.0', id: 7, result: { n } })))
})

describe('progress', () => {
  test('has our own token upstream, also in what the caller sees, in its place', async () => {
    const { client, left } = await pair({
      onRequest: async ({ params, notify }) => {
        const meta = params?.['_meta'] as JsonObject
        notify('notifications/progress', {
          progressToken: meta['progressToken'],
          progress: 1,
          message: 'half',
        })
        return { meta }
      },
    })
    const seen: JsonObject[] = []
    const params = { name: 'a', _meta: { progressToken: 'client-token', other: true } }
    const result = await client.request('tools/call', params, { onProgress: (values) => seen.push(values) })
    expect(result).toEqual({ meta: { progressToken: 1, other: true } })
    expect(JSON.stringify(seen)).toBe('[{"progressToken":1,"progress":1,"message":"half"}]')
    expect(params._meta.progressToken).toBe('client-token')
    expect(left.sent).toHaveLength(1)
  })

  test('without a listener no token goes upstream', async () => {
    const { client } = await pair({ onRequest: async ({ params }) => ({ params }) })
    expect(await client.request('x', { _meta: { progressToken: 7, a: 1 } })).toEqual({
      params: { _meta: { a: 1 } },
    })
    expect(await client.request('x', { b: 1 })).toEqual({ params: { b: 1 } })
  })

  test('keeps a request from timing out', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { client } = await pair({
      onRequest: async ({ params, notify }) => {
        const meta = params?.['_meta'] as JsonObject
        for (let step = 0; step < 4; step++) {
          await vi.advanceTimersByTimeAsync(99)
          notify('notifications/progress', { progressToken: meta['progressToken'], progress: step })
        }
        return { done: true }
      },
    })
    const result = await client.request('x', {}, { timeoutMs: 100, onProgress: () => {} })
    expect(result).toEqual({ done: true })
  })
})

describe('cancelling', () => {
  test('by signal tells the other side why and is not answered', async () => {
    const incoming: IncomingRequest[] = []
    const { client, left, right } = await pair({
      onRequest: async (request) => {
        incoming.push(request)
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
        request.notify('notifications/message', { late: true })
        return {}
      },
    })
    const controller = new AbortController()
    const answer = client.request('x', undefined, { signal: controller.signal })
    await turns()
    controller.abort(new RequestCancelled('user pressed stop'))
    await expect(answer).rejects.toThrow('user pressed stop')
    await turns()
    expect(left.sent[1]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'user pressed stop' },
    })
    expect(incoming[0]?.signal.reason).toMatchObject({ reason: 'user pressed stop' })
    expect(right.sent).toEqual([])
  })

  test('a signal that fired before sends nothing', async () => {
    const { client, left } = await pair({})
    await expect(
      client.request('x', undefined, { signal: AbortSignal.abort(new Error('too late')) }),
    ).rejects.toThrow('too late')
    expect(left.sent).toEqual([])
  })

  test('happens by itself after the time-out, naming the method', async () => {
    const { client, left } = await pair({ onRequest: () => new Promise(() => {}) })
    await expect(client.request('tools/call', {}, { timeoutMs: 20 })).rejects.toMatchObject({
      code: RpcErrorCode.requestTimeout,
      message: 'tools/call got no answer and no progress for 20 ms; the request was cancelled.',
    })
    expect(left.sent[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } })
  })
})

describe('closing', () => {
  test('rejects what is in flight on both sides and what comes later', async () => {
    const signals: AbortSignal[] = []
    const { client, server, closes } = await pair({
      onRequest: ({ signal }) => {
        signals.push(signal)
        return new Promise(() => {})
      },
    })
    const answer = client.request('x', undefined)
    await turns()
    await server.close()
    await server.close()
    await expect(answer).rejects.toMatchObject({ code: RpcErrorCode.connectionClosed })
    await expect(client.request('y', undefined)).rejects.toMatchObject({
      code: RpcErrorCode.connectionClosed,
    })
    expect(signals[0]?.aborted).toBe(true)
    expect(closes).toHaveLength(2)
  })

  test('can say more precisely what was lost', async () => {
    const [left, right] = linkedChannels()
    const lost = new Error('server "a" exited with code 3')
    const client = new RpcPeer(left, {
      onRequest: async () => ({}),
      onNotification: () => {},
      closingError: () => lost,
    })
    await client.start()
    const answer = client.request('x', undefined)
    await right.close()
    await expect(answer).rejects.toBe(lost)
  })
})

describe('notifications', () => {
  test('go to the request they are tied to, by stream or by subscription id, else to the common handler', async () => {
    const { client, left, right, notifications } = await pair({ onRequest: () => new Promise(() => {}) })
    const related: [string, JsonObject | undefined][] = []
    void client.request('x', undefined, { onRelated: (...args) => related.push(args) }).catch(() => {})
    left.onmessage?.({ jsonrpc: '2.0', method: 'a' }, { relatedRequestId: 1 })
    const params = { _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } }
    await right.send({ jsonrpc: '2.0', method: 'b', params })
    await right.send({ jsonrpc: '2.0', method: 'c', params: { _meta: {} } })
    await turns()
    expect(related).toEqual([
      ['a', undefined],
      ['b', params],
    ])
    expect(notifications).toEqual([['c', { _meta: {} }]])
    await client.close()
  })
})
