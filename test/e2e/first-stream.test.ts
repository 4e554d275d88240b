import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeConfig } from '../helpers/data-folder.ts'
import type { RawMessage } from '../helpers/raw-client.ts'
import { startEngine, type RunningEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'

/** Over HTTP a client opens its own stream some time after its introduction: earlier messages wait. */

let engine: RunningEngine

beforeAll(async () => {
  engine = await startEngine(
    writeConfig(join(temporaryFolder(afterAll), 'data'), { early: testServer('early') }),
  )
})

afterAll(() => engine.stop())

class HttpClient {
  #session: Record<string, string> = {}
  readonly #path: string
  /** Streams of requests, which may carry server requests. */
  readonly #heard: RawMessage[] = []

  constructor(path: string) {
    this.#path = path
  }

  get headers(): Record<string, string> {
    return {
      authorization: `Bearer ${engine.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...this.#session,
    }
  }

  async post(message: RawMessage): Promise<RawMessage> {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    const response = await fetch(`${engine.url}${this.#path}`, {
      method: 'POST',
      headers: this.headers,
      body,
    })
    const id = response.headers.get('mcp-session-id')
    if (id !== null) this.#session = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' }
    const data = [...(await response.text()).matchAll(/^data: (\{.*\})$/gm)]
    const messages = data.map(([, json = '{}']) => JSON.parse(json) as RawMessage)
    this.#heard.push(...messages.filter(({ method }) => method !== undefined))
    return messages.at(-1) ?? {}
  }

  async open(): Promise<void> {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { roots: {} },
      clientInfo: { name: 'late', version: '1' },
    }
    await this.post({ id: 1, method: 'initialize', params })
    await this.post({ method: 'notifications/initialized' })
    // The server sends everything before answering this.
    await this.post({ id: 2, method: 'tools/list', params: {} })
  }

  /** Until it has this many messages. */
  async listen(count: number): Promise<RawMessage[]> {
    const response = await fetch(`${engine.url}${this.#path}`, { headers: this.headers })
    const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
    const heard = this.#heard
    let unread = ''
    while (heard.length < count) {
      const { value, done } = await reader.read()
      if (done) break
      const events = (unread + value).split('\n\n')
      unread = events.pop() ?? ''
      for (const event of events) {
        const data = /^data: (\{.*\})$/m.exec(event)?.[1]
        if (data !== undefined) heard.push(JSON.parse(data) as RawMessage)
      }
    }
    await reader.cancel()
    return heard
  }
}

test.each(['/mcp/early', '/mcp'])(
  'what a server says before the stream is open arrives on it: %s',
  async (path) => {
    const client = new HttpClient(path)
    await client.open()
    const heard = await client.listen(5)
    const logs = heard.filter(({ method }) => method === 'notifications/message')
    expect(logs.map(({ params }) => (params as RawMessage)['data'])).toEqual(['one', 'two', 'three'])
    expect(heard.map(({ method }) => method)).toContain('notifications/tools/list_changed')
    const question = heard.find(({ method }) => method === 'roots/list')
    expect(question).toBeDefined()
    await client.post({ id: question?.['id'], result: { roots: [{ uri: 'file:///here' }] } })
    const name = path === '/mcp' ? 'early__roots' : 'roots'
    const { result } = await client.post({ id: 3, method: 'tools/call', params: { name, arguments: {} } })
    expect(result).toMatchObject({ content: [{ text: '{"roots":[{"uri":"file:///here"}]}' }] })
  },
)
