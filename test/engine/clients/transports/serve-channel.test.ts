import { describe, expect, it } from 'vitest'
import { serveChannel } from '../../../../electron/engine/clients/transports/serve-channel.ts'
import { silentLogger, type Logger } from '../../../../electron/engine/ground/logger.ts'
import { RpcErrorCode } from '../../../../electron/engine/protocol/json-rpc.ts'
import { MetaKey } from '../../../../electron/engine/protocol/era.ts'
import type { JsonObject, JsonRpcMessage } from '../../../../electron/engine/protocol/json-rpc.ts'
import type { OpenSession } from '../../../../electron/engine/clients/transports/client-session.ts'
import { linkedChannels } from '../../../helpers/linked-channels.ts'
import { turns } from '../../../helpers/turns.ts'
import { echoSessions } from './echo-session.ts'
import { waitFor } from '../../../helpers/wait-for.ts'

interface Around {
  readonly logger?: Logger
  /** Changes what is opened. */
  readonly open?: (openSession: OpenSession) => OpenSession
}

async function connected(client: { name?: string } = {}, { logger = silentLogger, open }: Around = {}) {
  const [ours, theirs] = linkedChannels()
  const { openSession, sessions } = echoSessions()
  /** To whose stream each message of ours belongs, over HTTP. */
  const related: unknown[] = []
  const sendOurs = ours.send.bind(ours)
  ours.send = (message, options) => {
    related.push(options?.relatedRequestId)
    return sendOurs(message, options)
  }
  const received: JsonRpcMessage[] = []
  theirs.onmessage = (message) => received.push(message)
  const served = await serveChannel(ours, {
    scope: { kind: 'all' },
    client,
    openSession: open?.(openSession) ?? openSession,
    logger,
  })
  /** Writes raw messages, also malformed ones. */
  const post = async (message: JsonObject): Promise<void> => {
    await theirs.send({ jsonrpc: '2.0', ...message } as JsonRpcMessage)
    await turns()
  }
  const send = async (message: JsonObject): Promise<JsonRpcMessage | undefined> => {
    const before = received.length
    await post(message)
    await waitFor(() => expect(received.length).toBeGreaterThan(before), 1)
    return received.at(-1)
  }
  return { served, sessions, theirs, received, related, post, send }
}

const clientInfo = { name: 'tester', version: '1' }
const initialize = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
}
const envelope = (version = '2026-07-28') => ({
  _meta: {
    [MetaKey.protocolVersion]: version,
    [MetaKey.clientInfo]: clientInfo,
    [MetaKey.clientCapabilities]: {},
  },
})
const call = (id: number, name: string, params: JsonObject = {}) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: { a: 1 }, ...params },
})

describe('serveChannel', () => {
  it('opens a legacy session for initialize, under the name the client gives', async () => {
    const { post, send, sessions } = await connected()
    expect(sessions).toHaveLength(0)
    expect(await send(initialize)).toMatchObject({ id: 0, result: { protocolVersion: '2025-06-18' } })
    expect(await send(call(1, 'echo'))).toMatchObject({ id: 1, result: { content: [{ text: '{"a":1}' }] } })
    await post({ method: 'notifications/initialized' })
    expect(sessions).toHaveLength(1)
    const client = { name: 'tester', isSelfNamed: true }
    expect(sessions[0]?.options).toMatchObject({ client, link: { era: 'legacy' } })
    expect(sessions[0]?.notifications).toEqual(['notifications/initialized'])
  })

  it('prefers the name given by --client', async () => {
    const { send, sessions } = await connected({ name: 'claude' })
    await send(initialize)
    expect(sessions[0]?.options.client.name).toBe('claude')
  })

  it('takes a first request without envelope for a legacy client', async () => {
    const { send, sessions } = await connected()
    expect(await send({ id: 'p', method: 'ping' })).toMatchObject({ id: 'p', result: {} })
    expect(sessions[0]?.options).toMatchObject({ link: { era: 'legacy' } })
    expect(sessions[0]?.options.client).toEqual({})
  })

  it('opens a modern session for a request with the envelope, and takes no questions in it', async () => {
    const { send, sessions } = await connected()
    const discovered = await send({ id: 1, method: 'server/discover', params: envelope() })
    expect(discovered).toMatchObject({ result: { supportedVersions: ['2026-07-28'] } })
    expect(await send(call(2, 'ask', envelope()))).toMatchObject({ id: 2, error: { code: -32601 } })
    expect(sessions[0]?.options).toMatchObject({ client: { name: 'tester' }, link: { era: 'modern' } })
  })

  it('answers broken envelopes and unknown versions without opening a session', async () => {
    const { send, sessions } = await connected()
    expect(await send(call(1, 'echo', envelope('2031-01-01')))).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2031-01-01' } },
    })
    const broken = { _meta: { [MetaKey.protocolVersion]: '2026-07-28' } }
    expect(await send(call(2, 'echo', broken))).toMatchObject({ error: { code: -32602 } })
    expect(sessions).toHaveLength(0)
    await send(call(3, 'echo', envelope()))
    expect(await send(call(4, 'echo'))).toMatchObject({ id: 4, error: { code: -32602 } })
  })

  it('refuses methods that the modern protocol has no longer', async () => {
    const { send, sessions } = await connected()
    await send(call(1, 'echo', envelope()))
    const ping = await send({ id: 2, method: 'ping', params: envelope() })
    expect(ping).toMatchObject({ id: 2, error: { code: -32601 } })
    expect(sessions[0]?.requests.map(({ method }) => method)).toEqual(['tools/call'])
  })

  it('starts over for a client that sends initialize after a successful server/discover', async () => {
    const { send, sessions } = await connected()
    await send({ id: 1, method: 'server/discover', params: envelope() })
    expect(await send(initialize)).toMatchObject({ result: { protocolVersion: '2025-06-18' } })
    expect(sessions.map((session) => session.options.link.era)).toEqual(['modern', 'legacy'])
    expect(sessions.map((session) => session.ended.aborted)).toEqual([true, false])
  })

  it('passes questions, progress and cancellation both ways', async () => {
    const { post, send, sessions, received, theirs } = await connected()
    await send(initialize)
    const question = await send(call(1, 'ask'))
    expect(question).toMatchObject({ method: 'roots/list' })
    const id = question && 'id' in question ? question.id : undefined
    expect(await send({ id, result: { roots: [] } })).toMatchObject({
      id: 1,
      result: { content: [{ text: '{"roots":[]}' }] },
    })

    received.length = 0
    await send(call(2, 'steps', { _meta: { progressToken: 'p' } }))
    await expect.poll(() => received.length).toBe(4)
    expect(received).toMatchObject([
      ...[1, 2, 3].map((progress) => ({ params: { progressToken: 'p', progress } })),
      { id: 2 },
    ])

    received.length = 0
    await post(call(3, 'wait'))
    await post({ method: 'notifications/cancelled', params: { requestId: 3, reason: 'enough' } })
    expect(received).toEqual([])
    expect(sessions[0]?.requests.at(-1)?.signal.reason).toMatchObject({ reason: 'enough' })
    await theirs.close()
  })

  it('sends a question with the last request that still runs, and notifications of the session and of its own', async () => {
    const { post, send, sessions, served, received, related } = await connected()
    await send(initialize)
    await post(call(1, 'wait'))
    const question = await send(call(2, 'ask'))
    expect(related.at(-1)).toBe(2)
    await send({ id: question && 'id' in question ? question.id : undefined, result: {} })
    void sessions[0]?.options.link.ask('roots/list', undefined).catch(() => {})
    await waitFor(() => expect(received.at(-1)).toMatchObject({ method: 'roots/list' }), 1)
    expect(related.at(-1)).toBe(1)
    sessions[0]?.options.link.notify('notifications/tools/list_changed')
    served.notify('notifications/sluice/own')
    await turns()
    expect(received.slice(-2)).toMatchObject([
      { method: 'notifications/tools/list_changed' },
      { method: 'notifications/sluice/own' },
    ])
  })

  it('is closed when the session has ended, which happens once; what comes meanwhile is refused', async () => {
    const noted: unknown[] = []
    const note = (...words: unknown[]): void => void noted.push(words)
    const ending = Promise.withResolvers<void>()
    let ends = 0
    const end = (): Promise<void> => (ends++, ending.promise)
    const { post, send, sessions, served, received, theirs } = await connected(
      {},
      {
        logger: { ...silentLogger, warn: note, error: note },
        open: (openSession) => (options) => ({ ...openSession(options), close: end }),
      },
    )
    await send(initialize)
    await post({ id: 77, result: {} })
    expect(noted).toEqual([['client connection', { error: expect.stringContaining('77') as unknown }]])
    let isClosed = false
    const closing = served.close().then(() => (isClosed = true))
    await theirs.send({ jsonrpc: '2.0', ...call(1, 'echo') })
    await turns()
    expect(received.at(-1)).toMatchObject({ id: 1, error: { code: RpcErrorCode.connectionClosed } })
    await expect(theirs.send({ jsonrpc: '2.0', method: 'x' })).rejects.toThrow()
    expect({ ends, isClosed }).toEqual({ ends: 1, isClosed: false })
    ending.reject(new Error('stuck'))
    await closing
    expect({ ends, sessions: sessions.length }).toEqual({ ends: 1, sessions: 1 })
    expect(noted.at(-1)).toEqual(['session did not end cleanly', { session: 'session-0', error: 'stuck' }])
  })

  it('opens no session for a request whose channel closed while it was read', async () => {
    const { served, sessions, theirs } = await connected()
    await theirs.send({ jsonrpc: '2.0', ...call(1, 'echo', envelope()) })
    await theirs.close()
    await served.closed
    await turns()
    expect(sessions).toHaveLength(0)
  })

  it('ends the session with the channel and says when it has ended', async () => {
    const { post, send, sessions, served, theirs } = await connected()
    await send(initialize)
    await post(call(1, 'wait'))
    await theirs.close()
    await served.closed
    expect(sessions[0]?.ended.aborted).toBe(true)
    expect(sessions[0]?.requests.at(-1)?.signal.aborted).toBe(true)
    await served.close()
  })

  it('gives open subscriptions their result before it closes the channel', async () => {
    const { send, sessions, served, received } = await connected()
    await send({ id: 'sub', method: 'subscriptions/listen', params: { ...envelope(), notifications: {} } })
    for (const tell of sessions[0]?.listeners ?? []) tell('notifications/tools/list_changed')
    await served.close()
    expect(received).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged' },
      { method: 'notifications/tools/list_changed', params: { _meta: { [MetaKey.subscriptionId]: 'sub' } } },
      { id: 'sub', result: {} },
    ])
  })
})
