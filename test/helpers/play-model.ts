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
  readonly fits: (path: string) => boolean
  readonly toolNames: (asked: JsonObject) => readonly string[]
  /** What the app says that the calls answered, by the call's id. */
  readonly results: (asked: JsonObject) => readonly (readonly [id: string, shown: string])[]
  readonly answer: (response: ServerResponse, call: ShellCall | undefined) => void
}

const SHELLS = ['exec_command', 'shell_command', 'shell', 'bash', 'run_shell_command']

/**
 * On loopback, a model of OpenAI's or Google's protocols that runs each command in the app's shell and then says
 * "done". `results`: what it was sent of each call, in order.
 */
export async function playModel(
  commands: readonly string[],
  whenDone: (end: () => Promise<void> | void) => void,
) {
  const results = new Map<string, string>()
  const asked: { readonly path: string; readonly body: JsonObject }[] = []
  const answer = (path: string, body: string, response: ServerResponse): void => {
    const wire = WIRES.find(({ fits }) => fits(path))
    const request: unknown = body === '' ? {} : JSON.parse(body)
    if (!wire || !isJsonObject(request)) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end('{"object":"list","data":[],"models":[],"totalTokens":1000}')
    }
    asked.push({ path, body: request })
    for (const [id, shown] of wire.results(request)) results.set(id, shown)
    const name = SHELLS.find((one) => wire.toolNames(request).includes(one))
    const command = commands[results.size]
    const isShell = name !== undefined && command !== undefined
    wire.answer(
      response,
      isShell ? { name, args: argumentsOf(name, command), id: `call_${results.size}` } : undefined,
    )
  }
  const server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => answer(new URL(request.url ?? '', 'http://x').pathname, body, response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => server.closeAllConnections())
  whenDone(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, results: () => [...results.values()], asked }
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
