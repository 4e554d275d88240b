import type { JsonRpcMessage, JsonRpcNotification, JsonRpcRequest } from '../../protocol/json-rpc.ts'

/** Client messages with lasting effect; resent for a new legacy session. */
export class SessionState {
  readonly #sent = new Map<string, JsonRpcRequest | JsonRpcNotification>()

  remember(message: JsonRpcRequest | JsonRpcNotification): void {
    const uri = String(message.params?.['uri'])
    if (message.method === 'resources/unsubscribe') this.#sent.delete(`resources/subscribe ${uri}`)
    else if (message.method === 'resources/subscribe') this.#sent.set(`${message.method} ${uri}`, message)
    else if (lasting.includes(message.method)) this.#sent.set(message.method, message)
  }

  /** Only a session has its own stream. */
  hasOpened(): boolean {
    return this.#sent.has('notifications/initialized')
  }

  /** In required order. */
  messages(): JsonRpcMessage[] {
    const first = lasting.flatMap((method) => this.#sent.get(method) ?? [])
    return [...first, ...[...this.#sent.values()].filter((message) => !lasting.includes(message.method))]
  }
}

const lasting = ['initialize', 'notifications/initialized', 'logging/setLevel']
