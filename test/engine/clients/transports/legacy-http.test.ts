import { expect, it, onTestFinished } from 'vitest'
import { startHttpServer } from '../../../../electron/engine/clients/transports/http-server.ts'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import { initializeBody } from '../../../helpers/initialize-request.ts'
import { echoSessions } from './echo-session.ts'

it('an id of a request under way is refused at once, others and those answered are not', async () => {
  const { openSession, sessions } = echoSessions()
  const server = await startHttpServer({
    port: 0,
    token: 'token',
    openSession,
    logger: silentLogger,
    maxMessageBytes: 1_000_000,
    serverExists: () => true,
  })
  onTestFinished(() => server.close())
  const headers: Record<string, string> = {
    Authorization: 'Bearer token',
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  }
  const post = (message: object, signal?: AbortSignal): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      ...(signal ? { signal } : {}),
    })
  const call = (id: number, name: string) => ({ id, method: 'tools/call', params: { name } })
  const opened = await post(initializeBody('raw'))
  headers['Mcp-Session-Id'] = opened.headers.get('mcp-session-id') ?? ''
  await opened.text()

  const ending = new AbortController()
  const waiting = post(call(7, 'wait'), ending.signal)
    .then((response) => response.text())
    .catch(() => 'aborted')
  await expect.poll(() => sessions[0]?.requests.length).toBe(2)
  const again = await post(call(7, 'echo'))
  expect([again.status, await again.text()]).toEqual([
    400,
    expect.stringContaining('The id 7 belongs to a request'),
  ])
  for (const id of [8, 8]) {
    const answer = await post(call(id, 'echo'))
    expect(answer.status).toBe(200)
    await answer.text()
  }
  ending.abort()
  await waiting
})
