import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SessionEvents } from '../../../../electron/engine/clients/transports/sent-events.ts'
import { SentEvents, STANDALONE } from '../../../../electron/engine/clients/transports/sent-events.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const answer = (id: number, text = 'ok'): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: { text } })
const said = (data: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data },
})
// The SDK's start-of-stream marker; its type requires a message.
const start = {} as JSONRPCMessage

async function after(session: SessionEvents, eventId: string): Promise<JSONRPCMessage[]> {
  const messages: JSONRPCMessage[] = []
  await session.replayEventsAfter(eventId, { send: async (_, message) => void messages.push(message) })
  return messages
}

it('gives what came after an event, on its own stream and in its own session alone', async () => {
  const sent = new SentEvents()
  const [one, other] = [sent.ofSession(), sent.ofSession()]
  const primed = await one.storeEvent('a', start)
  await one.storeEvent('b', answer(2))
  const first = await one.storeEvent('a', said('half'))
  await one.storeEvent('a', answer(1))
  await other.storeEvent('a', answer(9))
  expect(await after(one, primed)).toEqual([said('half'), answer(1)])
  expect(await after(one, first)).toEqual([answer(1)])
  expect(await one.getStreamIdForEventId?.(first)).toBe('a')
  for (const made of ['', '1', 'nothing.1', '.1'])
    expect(await one.getStreamIdForEventId?.(made)).toBe(undefined)
  one.forget()
  expect(await one.getStreamIdForEventId?.(first)).toBe(undefined)
})

it('keeps nothing for the session’s own stream until it is open', async () => {
  const sent = new SentEvents()
  const session = sent.ofSession()
  await session.storeEvent(STANDALONE, said('x'.repeat(10_000)))
  expect(sent.bytes).toBe(0)
  const primed = session.openStandalone()
  await session.storeEvent(STANDALONE, said('now'))
  expect(await after(session, primed)).toEqual([said('now')])
})

it('holds a limited amount: an answer that had to make room is an error, then unknown', async () => {
  const sent = new SentEvents({ maxBytes: 20_000 })
  const session = sent.ofSession()
  const primed = await session.storeEvent('large', start)
  await session.storeEvent('large', said('y'.repeat(1000)))
  await session.storeEvent('large', answer(7, 'x'.repeat(10_000)))
  await session.storeEvent('next', answer(8, 'x'.repeat(15_000)))
  expect(sent.bytes).toBeLessThanOrEqual(20_000)
  expect(await after(session, primed)).toEqual([
    expect.objectContaining({ id: 7, error: expect.objectContaining({ code: -32603 }) }),
  ])
  for (let id = 10; id < 500; id++) {
    await session.storeEvent(`s${id}`, answer(id))
    expect(sent.bytes).toBeLessThanOrEqual(20_000)
  }
  expect(await session.getStreamIdForEventId?.(primed)).toBe(undefined)
})

it('a flood on one stream pushes out its own events', async () => {
  const sent = new SentEvents()
  const session = sent.ofSession()
  const primed = await session.storeEvent('quiet', start)
  await session.storeEvent('quiet', answer(1))
  const opened = session.openStandalone()
  for (let i = 0; i < 3000; i++) await session.storeEvent(STANDALONE, said(String(i)))
  expect(await after(session, opened)).toHaveLength(1000)
  expect(await after(session, primed)).toEqual([answer(1)])
})

it('forgets after five minutes, but not where a stream starts whose answer is to come', async () => {
  const sent = new SentEvents()
  const session = sent.ofSession()
  const waiting = await session.storeEvent('waiting', start)
  const done = await session.storeEvent('done', start)
  await session.storeEvent('done', answer(1))
  vi.advanceTimersByTime(4 * 60_000)
  expect(await after(session, done)).toEqual([answer(1)])
  vi.advanceTimersByTime(3 * 60_000)
  expect(await session.getStreamIdForEventId?.(done)).toBe(undefined)
  await session.storeEvent('waiting', answer(2))
  expect(await after(session, waiting)).toEqual([answer(2)])
  vi.advanceTimersByTime(7 * 60_000)
  expect(sent.bytes).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})
