import { messageOf } from '../../ground/errors.ts'
import type { MessageChannel } from '../../protocol/channel.ts'
import { isJsonObject, isRequest, RpcErrorCode, type JsonRpcMessage } from '../../protocol/json-rpc.ts'

/** Other text would reach the client without approval or scan. */
const NAME = /^[\w.$-]{1,64}(?:\/[\w.$-]{1,64}){0,7}$/

/**
 * If the method isn't a name or the parameters aren't an object: requests get an error, notifications are ignored. A
 * message that can't be handled is reported and doesn't end the process.
 */
export function namedMessages(channel: MessageChannel): MessageChannel {
  const refuse = (message: JsonRpcMessage): void => {
    named.onerror?.(
      new Error("A message was ignored: its method isn't a name, or its parameters aren't an object."),
    )
    if (!isRequest(message)) return
    const error = isName(message.method)
      ? { code: RpcErrorCode.invalidParams, message: 'Invalid params' }
      : { code: RpcErrorCode.methodNotFound, message: 'Method not found' }
    channel.send({ jsonrpc: '2.0', id: message.id, error }).catch((cause: unknown) => {
      named.onerror?.(asError(cause))
    })
  }
  const named: MessageChannel = {
    start: () => {
      channel.onmessage = (message, origin) => {
        if ('method' in message && !(isName(message.method) && mayBeParams(message.params)))
          return refuse(message)
        try {
          named.onmessage?.(message, origin)
        } catch (error) {
          named.onerror?.(asError(error))
        }
      }
      channel.onclose = () => named.onclose?.()
      channel.onerror = (error) => named.onerror?.(error)
      return channel.start()
    },
    send: (message, options) => channel.send(message, options),
    close: () => channel.close(),
  }
  return named
}

const asError = (value: unknown): Error => (value instanceof Error ? value : new Error(messageOf(value)))

const isName = (method: unknown): boolean => typeof method === 'string' && NAME.test(method)
/** Some servers write null. */
const mayBeParams = (params: unknown): boolean =>
  params === undefined || params === null || isJsonObject(params)
