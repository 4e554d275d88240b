import { expect, test } from 'vitest'
import { LargeResponses } from '../../../../electron/engine/servers/upstream/large-responses.ts'
import { ReadingRoom } from '../../../../electron/engine/work/reading-room.ts'
import { call, testLinks } from '../../../helpers/test-links.ts'
import { testServer, textOf } from '../../../helpers/upstream.ts'
import { waitFor } from '../../../helpers/wait-for.ts'

const connect = testLinks()

/** Parses when opened; with the bytes of all that wait at once. */
function heldParser() {
  const held = { now: 0, most: 0, isOpen: false, waiting: [] as (() => void)[] }
  const open = (): void => {
    held.isOpen = true
    for (const go of held.waiting.splice(0)) go()
  }
  const parseLarge = async (pieces: readonly Uint8Array[]): Promise<unknown> => {
    const json = Buffer.concat(pieces)
    held.now += json.length
    held.most = Math.max(held.most, held.now)
    if (!held.isOpen) await new Promise<void>((resolve) => held.waiting.push(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    held.now -= json.length
    return JSON.parse(json.toString()) as unknown
  }
  return { held, open, parseLarge }
}

const serversOf = (
  parseLarge: ReturnType<typeof heldParser>['parseLarge'],
  count: number,
  room = new ReadingRoom({ mostBytes: 3_000_000 }),
) =>
  Promise.all(
    Array.from({ length: count }, () =>
      connect({ settings: testServer('big-result'), deps: { parseLarge, room } }),
    ),
  )

function isFull(room: ReadingRoom): boolean {
  const place = room.place()
  const isWaiting = place.read(200_001) !== undefined
  place.leave()
  return isWaiting
}

test('30 large results at once of five servers are read as there is room, whole and in order', async () => {
  const { held, open, parseLarge } = heldParser()
  const room = new ReadingRoom({ mostBytes: 3_000_000 })
  const servers = await serversOf(parseLarge, 5, room)
  const order: number[][] = servers.map(() => [])
  const answers = servers.flatMap(({ link }, server) =>
    Array.from({ length: 6 }, async (_, nth) => {
      const text = textOf(await call(link, 'log', { bytes: 1_400_000 + nth * 1000 }))
      order[server]?.push(nth)
      return text.length === 1_400_000 + nth * 1000
    }),
  )
  await waitFor(() => isFull(room))
  // Another server's small result doesn't wait.
  const [small] = await serversOf(parseLarge, 1, room)
  expect(textOf(await call(small!.link, 'echo', { text: 'hi' }))).toBe('hi')
  expect(held.waiting.length).toBeLessThan(4)
  open()
  expect(await Promise.all(answers)).not.toContain(false)
  expect(order).toEqual(servers.map(() => [0, 1, 2, 3, 4, 5]))
  expect(held.most).toBeLessThan(3_000_000 + 2 * 1_500_000)
})

test('a result larger than the room passes, beside others', async () => {
  const { open, parseLarge } = heldParser()
  open()
  const servers = await serversOf(parseLarge, 3)
  const texts = await Promise.all(servers.map(({ link }) => call(link, 'prose', { bytes: 9_000_000 })))
  expect(texts.map((text) => textOf(text).length)).toEqual([9_000_000, 9_000_000, 9_000_000])
})

test('a call of which the result waits can be given up, and its server be closed', async () => {
  const { open, parseLarge } = heldParser()
  const room = new ReadingRoom({ mostBytes: 3_000_000 })
  const [first, second, third, fourth] = await serversOf(parseLarge, 4, room)
  const filling = [first!, second!].map(({ link }) => call(link, 'log', { bytes: 4_000_000 }))
  await waitFor(() => isFull(room))
  const args = { name: 'log', arguments: { bytes: 2_000_000 } }
  await expect(third!.link.request('tools/call', args, { timeoutMs: 50 })).rejects.toThrow(/no answer/)
  const closed = fourth!.link.request('tools/call', args)
  const failed = expect(closed).rejects.toThrow()
  await fourth!.link.close()
  await failed
  open()
  await Promise.all(filling)
  expect(textOf(await call(third!.link, 'echo', { text: 'next' }))).toBe('next')
})

test.each(['application/json', 'text/event-stream'])('%s is read as there is room, too', async (type) => {
  const { held, open, parseLarge } = heldParser()
  const room = new ReadingRoom({ mostBytes: 1_000_000 })
  let read = 0
  const json = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(3_000_000) } })
  const body = Buffer.from(type === 'application/json' ? json : `data: ${json}\n\n`)
  const answer = (): Response => {
    let at = 0
    const chunks = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (at >= body.length) return controller.close()
        controller.enqueue(new Uint8Array(body.subarray(at, (at += 100_000))))
        read += 100_000
      },
    })
    return new Response(chunks, { headers: { 'content-type': type } })
  }
  const { fetch } = new LargeResponses({
    fetch: async () => answer(),
    maxMessageBytes: 10_000_000,
    parseLarge,
    room,
    onAnswerLost: () => {},
  })
  const texts = Array.from({ length: 4 }, async () => (await fetch('http://127.0.0.1')).text())
  await waitFor(() => held.waiting.length > 0 && isFull(room))
  expect(read).toBeLessThan(7_000_000)
  open()
  expect(await Promise.all(texts)).toHaveLength(4)
  // A body that ends in the middle gives its room back.
  const broken = new LargeResponses({
    fetch: async () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new Uint8Array(body.subarray(0, 2_000_000))),
          pull: (controller) => controller.error(new Error('gone')),
        }),
        { headers: { 'content-type': type } },
      ),
    maxMessageBytes: 10_000_000,
    parseLarge,
    room,
    onAnswerLost: () => {},
  })
  await expect(broken.fetch('http://127.0.0.1').then((response) => response.text())).rejects.toThrow('gone')
  const next = room.place()
  expect(next.read(600_000)).toBeUndefined()
  expect(room.place().read(300_000)).toBeUndefined()
})
