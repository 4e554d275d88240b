import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface JsonServer {
  readonly url: string
  readonly received: ReceivedRequest[]
}

/** A value is sent as JSON, a function answers itself or not at all. */
export type Answer = object | string | ((response: ServerResponse, request: ReceivedRequest) => void)

/** On a free loopback port; ends with the running test. */
export async function jsonServer(answer: Answer): Promise<JsonServer> {
  const received: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const got = { path: request.url ?? '', headers: request.headers, body: await text(request) }
      received.push(got)
      if (typeof answer === 'function') answer(response, got)
      else
        response
          .setHeader('content-type', 'application/json')
          .end(typeof answer === 'string' ? answer : JSON.stringify(answer))
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, received }
}
