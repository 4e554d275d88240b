import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { isJsonObject, type JsonObject } from '../../electron/engine/protocol/json-rpc.ts'

/** One call of the app's shell. */
interface ShellCall {
  readonly name: string
  readonly args: JsonObject
  readonly id: string
}

/** How one wire protocol asks, is answered, and sends results back. */
interface Wire {
  readonly fits: (path: string, asked: JsonObject) => boolean
  readonly toolNames: (asked: JsonObject) => readonly string[]
  /** What the app says that the calls answered, by the call's id. */
  readonly results: (asked: JsonObject) => readonly (readonly [id: string, shown: string])[]
  readonly answer: (response: ServerResponse, call: ShellCall | undefined) => void
}

const SHELLS = ['exec_command', 'shell_command', 'shell', 'Bash', 'bash', 'run_shell_command']

/**
 * On loopback, a model of Anthropic's, OpenAI's or Google's protocols that runs each command in the app's shell and then
 * says "done". `results`: what it was sent of each call, in order; `waits`: milliseconds from call to result;
 * `begin`: for another conversation.
 */
export async function playModel(
  commands: readonly string[],
  whenDone: (end: () => Promise<void> | void) => void,
) {
  const results = new Map<string, string>()
  const [sent, waits] = [new Map<string, number>(), new Map<string, number>()]
  const answer = (path: string, body: string, response: ServerResponse): void => {
    const request: unknown = body === '' ? {} : JSON.parse(body)
    const wire = isJsonObject(request) ? WIRES.find(({ fits }) => fits(path, request)) : undefined
    if (!wire || !isJsonObject(request)) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(
        '{"object":"list","data":[],"models":[],"totalTokens":1000,"input_tokens":1000}',
      )
    }
    for (const [id, shown] of wire.results(request)) {
      const began = sent.get(id)
      if (began !== undefined && !waits.has(id)) waits.set(id, performance.now() - began)
      results.set(id, shown)
    }
    const name = SHELLS.find((one) => wire.toolNames(request).includes(one))
    const command = commands[results.size]
    const id = `call_${results.size}`
    const call = name !== undefined && command !== undefined && { name, args: argumentsOf(name, command), id }
    if (call) sent.set(id, performance.now())
    wire.answer(response, call || undefined)
  }
  const server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => answer(new URL(request.url ?? '', 'http://x').pathname, body, response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => server.closeAllConnections())
  whenDone(() => void server.close())
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const begin = (): void => [results, sent, waits].forEach((one) => one.clear())
  return { url, results: () => [...results.values()], waits: () => [...waits.values()], begin }
}

const argumentsOf = (name: string, command: string): JsonObject =>
  name === 'exec_command'
    ? { cmd: command }
    : name === 'shell'
      ? { command: ['bash', '-lc', command] }
      : { command, description: 'Run it' }

const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((one) => isJsonObject(one)) : []
const namesIn = (value: unknown): readonly string[] => objectsIn(value).map(({ name }) => String(name))
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const event = (response: ServerResponse, data: JsonObject, name?: string): void =>
  void response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`)
const begin = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' })

const WIRES: readonly Wire[] = [
  {
    fits: (path, { stream }) => path.endsWith('/messages') && stream === true,
    toolNames: ({ tools }) => namesIn(tools),
    results: ({ messages }) =>
      objectsIn(messages)
        .flatMap(({ content }) => objectsIn(content))
        .flatMap(({ type, tool_use_id: id, content }) =>
          type === 'tool_result' ? [[String(id), asText(content)] as const] : [],
        ),
    answer: (response, call) => {
      begin(response)
      const send = (type: string, rest: JsonObject): void => event(response, { type, ...rest }, type)
      const usage = { input_tokens: 10, output_tokens: 1 }
      const message = { id: 'msg', type: 'message', role: 'assistant', model: 'm', content: [], usage }
      const [block, delta, stop_reason] = call
        ? [
            { type: 'tool_use', id: call.id, name: call.name, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(call.args) },
            'tool_use',
          ]
        : [{ type: 'text', text: '' }, { type: 'text_delta', text: 'done' }, 'end_turn']
      send('message_start', { message })
      send('content_block_start', { index: 0, content_block: block })
      send('content_block_delta', { index: 0, delta })
      send('content_block_stop', { index: 0 })
      send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } })
      send('message_stop', {})
      response.end()
    },
  },
  {
    fits: (path) => path.endsWith('/responses'),
    toolNames: ({ tools }) => namesIn(tools),
    results: ({ input }) =>
      objectsIn(input).flatMap(({ type, call_id: id, output }) =>
        type === 'function_call_output' ? [[String(id), asText(output)] as const] : [],
      ),
    answer: (response, call) => {
      begin(response)
      const item = call
        ? {
            type: 'function_call',
            id: `fc_${call.id}`,
            call_id: call.id,
            name: call.name,
            arguments: JSON.stringify(call.args),
          }
        : { type: 'message', id: 'msg', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }
      const send = (type: string, rest: JsonObject): void => event(response, { type, ...rest }, type)
      send('response.created', { response: { id: 'resp' } })
      send('response.output_item.added', { output_index: 0, item })
      send('response.output_item.done', { output_index: 0, item })
      const usage = {
        input_tokens: 10,
        input_tokens_details: null,
        output_tokens: 1,
        output_tokens_details: null,
        total_tokens: 11,
      }
      send('response.completed', { response: { id: 'resp', usage } })
      response.end()
    },
  },
  {
    fits: (path) => path.endsWith('/chat/completions'),
    toolNames: ({ tools }) => namesIn(objectsIn(tools).map((tool) => tool['function'])),
    results: ({ messages }) =>
      objectsIn(messages).flatMap(({ role, tool_call_id: id, content }) =>
        role === 'tool' ? [[String(id), asText(content)] as const] : [],
      ),
    answer: (response, call) => {
      begin(response)
      const chunk = (delta: JsonObject, finish: string | null): void =>
        event(response, {
          id: 'c',
          object: 'chat.completion.chunk',
          created: 1,
          model: 'm',
          choices: [{ index: 0, delta, finish_reason: finish }],
        })
      const made = call && {
        index: 0,
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: JSON.stringify(call.args) },
      }
      chunk({ role: 'assistant', ...(made ? { tool_calls: [made] } : { content: 'done' }) }, null)
      chunk({}, made ? 'tool_calls' : 'stop')
      event(response, {
        id: 'c',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        choices: [],
        usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 },
      })
      response.end('data: [DONE]\n\n')
    },
  },
  {
    fits: (path) => path.endsWith(':streamGenerateContent'),
    toolNames: ({ tools }) => objectsIn(tools).flatMap((tool) => namesIn(tool['functionDeclarations'])),
    results: ({ contents }) =>
      objectsIn(contents)
        .flatMap(({ parts }) => objectsIn(parts))
        .flatMap(({ functionResponse: made }) =>
          isJsonObject(made) ? [[String(made['id']), asText(made['response'])] as const] : [],
        ),
    answer: (response, call) => {
      begin(response)
      const part = call
        ? { functionCall: { id: call.id, name: call.name, args: call.args } }
        : { text: 'done' }
      event(response, {
        candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1, totalTokenCount: 11 },
      })
      response.end()
    },
  },
]
