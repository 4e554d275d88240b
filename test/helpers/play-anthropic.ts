import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { isJsonObject, type JsonObject } from '../../electron/engine/protocol/json-rpc.ts'

/** On loopback, a model that calls Bash with each command in turn and then says "done". */
export async function playAnthropic(
  commands: readonly string[],
  whenDone: (end: () => Promise<void> | void) => void,
) {
  const results = new Map<string, string>()
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const asked: unknown = body === '' ? {} : JSON.parse(body)
      if (!isJsonObject(asked) || asked['stream'] !== true) {
        response.writeHead(200, { 'content-type': 'application/json' })
        return response.end('{"input_tokens":1000}')
      }
      for (const { id, shown } of resultsIn(asked)) results.set(id, shown)
      const hasTools = Array.isArray(asked['tools']) && asked['tools'].length > 0
      return stream(
        response,
        String(asked['model']),
        hasTools ? commands[results.size] : undefined,
        results.size,
      )
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => server.closeAllConnections())
  whenDone(() => void server.close())
  const { port } = server.address() as AddressInfo
  /** What the model was sent of each call, in order. */
  return { url: `http://127.0.0.1:${port}`, results: () => [...results.values()] }
}

function resultsIn({ messages }: JsonObject): { id: string; shown: string }[] {
  const blocks = (Array.isArray(messages) ? messages : []).flatMap((message: unknown) =>
    isJsonObject(message) && Array.isArray(message['content']) ? (message['content'] as unknown[]) : [],
  )
  return blocks.flatMap((block) => {
    if (!isJsonObject(block) || block['type'] !== 'tool_result') return []
    const { tool_use_id: id, content } = block
    return [{ id: String(id), shown: typeof content === 'string' ? content : JSON.stringify(content) }]
  })
}

function stream(response: ServerResponse, model: string, command: string | undefined, turn: number): void {
  const send = (type: string, rest: JsonObject): unknown =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`)
  const [block, delta, stop_reason] =
    command === undefined
      ? [{ type: 'text', text: '' }, { type: 'text_delta', text: 'done' }, 'end_turn']
      : [
          { type: 'tool_use', id: `toolu_${turn}`, name: 'Bash', input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify({ command, description: 'Run it' }) },
          'tool_use',
        ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const usage = { input_tokens: 10, output_tokens: 1 }
  const message = { id: `msg_${turn}`, type: 'message', role: 'assistant', model, content: [], usage }
  send('message_start', { message })
  send('content_block_start', { index: 0, content_block: block })
  send('content_block_delta', { index: 0, delta })
  send('content_block_stop', { index: 0 })
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } })
  send('message_stop', {})
  response.end()
}
