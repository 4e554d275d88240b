import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/** For one request. */
export type ChatBehaviour =
  /** Streams this text word by word, `msPerWord` apart; `whole` sends it at once, like servers without streams. */
  | {
      readonly says: string
      readonly msPerWord?: number
      readonly whole?: boolean
      readonly finish?: 'stop' | 'length'
    }
  /** Never answers; `afterHead` sends the head first, `afterWords` a few words. */
  | { readonly never: true; readonly afterHead?: boolean; readonly afterWords?: string }
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** These bytes, as a stream or as JSON. */
  | { readonly raw: string; readonly type?: string }
  /** Closes the connection after these words. */
  | { readonly breaksAfter: string }

export interface ChatQuestionSeen {
  readonly authorization: string | undefined
  readonly body: {
    readonly model: string
    readonly messages: readonly { readonly role: string; readonly content: string }[]
    readonly [key: string]: unknown
  }
}

export interface ChatServer {
  /** Up to and with /v1. */
  readonly baseUrl: string
  readonly seen: ChatQuestionSeen[]
  /** Most requests open at the same time. */
  readonly atOnce: () => number
  /** Open now. */
  readonly open: () => number
  readonly close: () => Promise<void>
}

export type ChatBehaviours =
  | ChatBehaviour
  | readonly ChatBehaviour[]
  | ((question: ChatQuestionSeen) => ChatBehaviour)

/** OpenAI-compatible; one behaviour per request, the last is repeated. */
export async function openChatServer(behaviour: ChatBehaviours): Promise<ChatServer> {
  const seen: ChatQuestionSeen[] = []
  let open = 0
  let most = 0
  const next = (question: ChatQuestionSeen): ChatBehaviour => {
    if (typeof behaviour === 'function') return behaviour(question)
    const list = 'length' in behaviour ? behaviour : [behaviour]
    return list[Math.min(seen.length, list.length) - 1] ?? { status: 500 }
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    most = Math.max(most, ++open)
    try {
      if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
        response.writeHead(404).end('{"error":{"message":"There is nothing here."}}')
        return
      }
      const body = JSON.parse(await text(request)) as ChatQuestionSeen['body']
      const question = { authorization: request.headers.authorization, body }
      seen.push(question)
      await behave(next(question), question, response)
    } finally {
      open--
    }
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/v1`, seen, atOnce: () => most, open: () => open, close }
}

async function behave(
  behaviour: ChatBehaviour,
  { body }: ChatQuestionSeen,
  response: ServerResponse,
): Promise<void> {
  const event = (value: unknown): void => void response.write(`data: ${JSON.stringify(value)}\n\n`)
  const head = (type = 'text/event-stream'): void => void response.writeHead(200, { 'content-type': type })
  const piece = (content: string, finish: string | null = null): void =>
    event({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })
  const usage = (said: string) => ({
    prompt_tokens: Math.ceil(JSON.stringify(body.messages).length / 4),
    completion_tokens: said.split(/\s+/).length,
  })
  if ('status' in behaviour) {
    response.writeHead(behaviour.status, { 'content-type': 'application/json', ...behaviour.headers })
    response.end(typeof behaviour.body === 'string' ? behaviour.body : JSON.stringify(behaviour.body ?? {}))
  } else if ('never' in behaviour) {
    if (behaviour.afterHead || behaviour.afterWords !== undefined) head()
    if (behaviour.afterHead) response.flushHeaders()
    if (behaviour.afterWords !== undefined) piece(behaviour.afterWords)
    await new Promise((resolve) => response.once('close', resolve))
  } else if ('raw' in behaviour) {
    head(behaviour.type ?? 'application/json')
    response.end(behaviour.raw)
  } else if ('breaksAfter' in behaviour) {
    head()
    piece(behaviour.breaksAfter)
    await sleep(20)
    response.destroy()
  } else if (behaviour.whole) {
    const message = { role: 'assistant', content: behaviour.says }
    head('application/json')
    const choices = [{ index: 0, message, finish_reason: behaviour.finish ?? 'stop' }]
    response.end(JSON.stringify({ choices, usage: usage(behaviour.says) }))
  } else {
    head()
    for (const word of behaviour.says.split(/(?<=\s)/)) {
      if (response.destroyed) return
      piece(word)
      if (behaviour.msPerWord !== undefined) await sleep(behaviour.msPerWord)
    }
    piece('', behaviour.finish ?? 'stop')
    event({ choices: [], usage: usage(behaviour.says) })
    response.end('data: [DONE]\n\n')
  }
}
