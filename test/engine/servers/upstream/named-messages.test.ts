import { describe, expect, test } from 'vitest'
import type { JsonRpcMessage } from '../../../../electron/engine/protocol/json-rpc.ts'
import { RpcPeer } from '../../../../electron/engine/protocol/peer.ts'
import { namedMessages } from '../../../../electron/engine/servers/upstream/named-messages.ts'
import { ATTACK } from '../../../helpers/guard.ts'
import { linkedChannels } from '../../../helpers/linked-channels.ts'
import { turns } from '../../../helpers/turns.ts'

/** What Sluice hears of these server messages, and its answers. */
async function heard(...messages: object[]) {
  const [own, servers] = linkedChannels()
  const methods: unknown[] = []
  const errors: string[] = []
  const peer = new RpcPeer(namedMessages(own), {
    onRequest: async ({ method }) => {
      methods.push(method)
      return {}
    },
    onNotification: (method) => {
      methods.push(method)
      if (method === 'notifications/broken') throw new TypeError('broke')
    },
    onError: (error) => errors.push(error.message),
  })
  await peer.start()
  for (const message of messages) await servers.send({ jsonrpc: '2.0', ...message } as JsonRpcMessage)
  await turns()
  return { methods, errors, answers: own.sent }
}

describe("a server's message", () => {
  test.each([[5], [null], [{ a: 1 }], [['ping']], [ATTACK], [`${ATTACK}/list_changed`], ['a'.repeat(65)]])(
    'with the method %j is refused',
    async (method) => {
      const notified = await heard({ method })
      expect(notified).toMatchObject({
        methods: [],
        answers: [],
        errors: [expect.stringMatching(/isn't a name/)],
      })
      const asked = await heard({ id: 'x', method })
      expect(asked.methods).toEqual([])
      expect(asked.answers).toMatchObject([{ id: 'x', error: { code: -32_601 } }])
    },
  )

  test.each([[ATTACK], [5], [true], [[ATTACK]]])('with the parameters %j is refused', async (params) => {
    const method = 'notifications/message'
    expect(await heard({ method, params })).toMatchObject({ methods: [], answers: [] })
    const asked = await heard({ id: 'x', method, params })
    expect(asked.methods).toEqual([])
    expect(asked.answers).toMatchObject([{ id: 'x', error: { code: -32_602 } }])
    expect(await heard({ method, params: null })).toMatchObject({ methods: [method] })
  })

  test('with a name as method is heard, also a name that no specification has', async () => {
    const names = ['notifications/tools/list_changed', 'notifications/x-acme.v2/ready', '$/progress', 'foo']
    const { methods, errors } = await heard(...names.map((method) => ({ method })))
    expect([methods, errors]).toEqual([names, []])
  })

  test("that can't be handled is reported, and the next one is heard", async () => {
    const { methods, errors } = await heard({ method: 'notifications/broken' }, { method: 'foo' })
    expect([methods, errors]).toEqual([['notifications/broken', 'foo'], ['broke']])
  })
})
