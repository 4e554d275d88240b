import { connect } from 'node:net'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hookTokenOf } from '../../../electron/engine/clients/transports/hook-token.ts'
import { openEngineSocket } from '../../../electron/engine/clients/connector/engine-socket.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { bashPayload } from '../../helpers/bash-payload.ts'
import { buildLog } from '../../helpers/build-log.ts'
import { hooksWorld } from '../../helpers/hooks-world.ts'

const ends: (() => Promise<void> | void)[] = []
let url: URL
let socketPath: string
let token: string

beforeAll(async () => {
  const { engine, dataDir } = await hooksWorld((end) => ends.push(end))
  const listening = await engine.listen({ port: 0 })
  url = new URL(listening.url)
  socketPath = listening.socketPath
  token = readFileSync(join(dataDir, 'token'), 'utf8').trim()
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Node's fetch can't change `Host`. */
const post = (path: string, body: string, headers: Record<string, string>, method = 'POST') =>
  new Promise<{ status: number; body: JsonObject }>((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as JsonObject }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
const bearer = (app: string) => ({ authorization: `Bearer ${hookTokenOf(token, app)}` })
const payload = JSON.stringify(bashPayload(buildLog()))
const path = '/hook/claude-code/PostToolUse'

describe('POST /hook/{app}/{event}', () => {
  it('answers with the shortened output', async () => {
    const { status, body } = await post(path, payload, bearer('claude-code'))
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toContain('session.ts(88,14): error TS2345')
  })

  it("takes this app's token only", async () => {
    expect((await post(path, payload, {})).status).toBe(401)
    expect((await post(path, payload, bearer('codex'))).status).toBe(401)
    // What stands in an app's configuration opens nothing else.
    expect((await post('/mcp', '{}', bearer('claude-code'))).status).toBe(401)
  })

  it('refuses other hosts, pages and methods', async () => {
    const own = bearer('claude-code')
    expect((await post(path, payload, { ...own, host: 'evil.example' })).status).toBe(403)
    expect((await post(path, payload, { ...own, origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(path, '', own, 'GET')).status).toBe(405)
    expect((await post('/hook/claude-code', payload, own)).status).toBe(404)
  })

  it('refuses a body over 64 MB by its length, and says what is no JSON', async () => {
    const tooLong = await post(path, '', { ...bearer('claude-code'), 'content-length': '64000001' }).catch(
      (error: Error) => error,
    )
    expect(tooLong).toMatchObject({ status: 413 })
    expect((await post(path, '{', bearer('claude-code'))).status).toBe(400)
  })

  it('changes nothing for what it does not know', async () => {
    for (const [app, event, said] of [
      ['claude-code', 'PostToolUse', '[]'],
      ['claude-code', 'Notification', payload],
      ['unheard-of', 'PostToolUse', payload],
      ['cursor', 'postToolUse', payload],
    ] as const)
      expect(await post(`/hook/${app}/${event}`, said, bearer(app))).toEqual({ status: 200, body: {} })
  })
})

describe('the local socket', () => {
  const ask = async (app: string, event: string, body: string): Promise<unknown> => {
    const socket = await openEngineSocket(socketPath, { sluice: 1, hook: { app, event } })
    socket?.end(body)
    let text = ''
    for await (const chunk of socket ?? []) text += String(chunk)
    return JSON.parse(text)
  }

  it('takes a payload and gives an answer', async () => {
    expect(JSON.stringify(await ask('claude-code', 'PostToolUse', payload))).toContain('error TS2345')
  })

  it('answers with nothing to do for what can not be read', async () => {
    expect(await ask('claude-code', 'PostToolUse', '{"half":')).toEqual({})
    expect(await ask('claude-code', 'PostToolUse', '')).toEqual({})
  })

  it('survives an app that hangs up in the middle', async () => {
    const socket = connect(socketPath)
    socket.write('{"sluice":1,"hook":{"app":"claude-code","event":"PostToolUse"}}\n{"session_id":"s')
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    expect(await ask('claude-code', 'PostToolUse', '{}')).toEqual({})
  })
})
