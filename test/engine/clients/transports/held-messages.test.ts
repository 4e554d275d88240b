import { expect, onTestFinished, test, vi } from 'vitest'
import { HeldMessages } from '../../../../electron/engine/clients/transports/held-messages.ts'
import type { JsonRpcMessage } from '../../../../electron/engine/protocol/json-rpc.ts'

const log = (data: unknown): JsonRpcMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data },
})

function holding(options: { keepMs?: number; questionMs?: number } = {}) {
  const sent: JsonRpcMessage[] = []
  const held = new HeldMessages({ send: async (message) => void sent.push(message), ...options })
  return { sent, held }
}

test('what waits is sent in order, once', async () => {
  const { sent, held } = holding()
  const waiting = [held.hold(log(1)), held.hold(log(2))]
  expect(sent).toEqual([])
  held.deliver()
  await Promise.all(waiting)
  expect(sent).toEqual([log(1), log(2)])
  expect(held.isHolding).toBe(false)
})

test('a flood drops its oldest, by number and by size', async () => {
  const { sent, held } = holding()
  const many = Array.from({ length: 1_005 }, (_, index) => held.hold(log(index)))
  await expect(many[4]).rejects.toThrow("notifications/message can't be sent: the client has no stream open")
  held.deliver()
  await Promise.allSettled(many)
  expect(sent).toHaveLength(1_000)
  expect(sent[0]).toEqual(log(5))

  const large = holding()
  const texts = Array.from({ length: 5 }, () => large.held.hold(log('x'.repeat(1_000_000))))
  large.held.deliver()
  await Promise.allSettled(texts)
  expect(large.sent).toHaveLength(3)
})

test('a question waits for a shorter time than the rest, and nothing for ever', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { sent, held } = holding({ keepMs: 40, questionMs: 5 })
  const question = held.hold({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
  const said = expect(held.hold(log(1))).rejects.toThrow('no stream open')
  const asked = expect(question).rejects.toThrow("roots/list can't be sent")
  await vi.advanceTimersByTimeAsync(39)
  await asked
  expect(held.isHolding).toBe(true)
  await vi.advanceTimersByTimeAsync(1)
  await said
  expect(held.isHolding).toBe(false)
  expect(sent).toEqual([])
})
