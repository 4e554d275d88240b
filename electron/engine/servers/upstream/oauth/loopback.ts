import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Loopback {
  /** Redirect address (RFC 8252, 7.3). */
  readonly url: URL
  /** Query of the first visit with `state`; rejects others. */
  answer(state: string): Promise<URLSearchParams>
  close(): Promise<void>
}

const page = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Sluice</title><p style="font:16px system-ui;margin:3em">${text}</p>`

/** On 127.0.0.1 only: on `port` if free, otherwise any. */
export async function openLoopback(port: number | undefined): Promise<Loopback> {
  const waiting = { state: '', answered: Promise.withResolvers<URLSearchParams>() }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isAnswer =
      pathname === '/callback' && waiting.state !== '' && searchParams.get('state') === waiting.state
    const text = isAnswer
      ? 'Sluice has the answer. You can close this page; the program that asked says how it went.'
      : 'Nothing is waited for here.'
    response.writeHead(isAnswer ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      connection: 'close',
    })
    response.end(page(text))
    if (isAnswer) waiting.answered.resolve(searchParams)
  })
  const listen = (wanted: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(wanted, '127.0.0.1', () => {
        server.off('error', reject)
        resolve()
      })
    })
  await listen(port ?? 0).catch(() => listen(0))
  const { port: actual } = server.address() as AddressInfo
  return {
    url: new URL(`http://127.0.0.1:${actual}/callback`),
    answer: (state) => {
      waiting.state = state
      return waiting.answered.promise
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
