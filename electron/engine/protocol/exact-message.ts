import { asItCame, parseExact, sourceOf, withSource } from './exact-json.ts'
import { MetaKey } from './era.ts'
import { isJsonObject, type RequestId } from './json-rpc.ts'
import { SOURCES } from './json-sources.ts'

/** A string inside, source text outside. */
const NUMBER_MARK = '\u0000number:'
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Numbers that JavaScript rounds to one stay distinct. */
const idFromSource = (text: string, value: number): RequestId =>
  Number.isSafeInteger(value) ? value : `${NUMBER_MARK}${text}`

const sourceOfId = (id: unknown): string | undefined => {
  if (typeof id !== 'string' || !id.startsWith(NUMBER_MARK)) return undefined
  const text = id.slice(NUMBER_MARK.length)
  return NUMBER.test(text) ? text : undefined
}

/** Of one message, or of a batch. */
function atIds(value: unknown, visit: (holder: Record<string, unknown>, key: string) => void): void {
  if (Array.isArray(value)) for (const message of value) atIdsOf(message, visit)
  else atIdsOf(value, visit)
}

function atIdsOf(message: unknown, visit: (holder: Record<string, unknown>, key: string) => void): void {
  if (!isJsonObject(message)) return
  visit(message, 'id')
  const { params } = message
  if (!isJsonObject(params)) return
  visit(params, 'requestId')
  visit(params, 'progressToken')
  const meta = params['_meta']
  if (!isJsonObject(meta)) return
  visit(meta, 'progressToken')
  visit(meta, MetaKey.subscriptionId)
}

/** `parseExact` with distinct ids. */
export function parseMessage(text: string): unknown {
  const value = parseExact(text)
  keepIds(value)
  return value
}

/** Undefined for invalid JSON. */
export function readMessage(text: string): unknown {
  try {
    return parseMessage(text)
  } catch {
    return undefined
  }
}

/** A single id as JSON. */
export const idFromText = (text: string): RequestId =>
  text.startsWith('"') ? (JSON.parse(text) as string) : idFromSource(text, Number(text))

export const keepIds = (value: unknown): void =>
  atIds(value, (holder, key) => {
    const source = SOURCES in holder ? sourceOf(holder, key) : undefined
    const id = holder[key]
    if (source !== undefined && typeof id === 'number') holder[key] = idFromSource(source, id)
  })

export const noteIds = (message: unknown): void =>
  atIds(message, (holder, key) => {
    const text = sourceOfId(holder[key])
    if (text !== undefined) withSource(holder, key, text)
  })

function messageAsItCame<Message>(message: Message): Message | object {
  noteIds(message)
  return asItCame(message)
}

export const stringifyMessage = (message: unknown): string => JSON.stringify(messageAsItCame(message))

/** For transports that serialise: read normally, written as it came. */
export function forTransport<Message extends object>(message: Message): Message {
  const shown = messageAsItCame(message)
  if (shown === message) return message
  return Object.defineProperty({ ...message }, 'toJSON', { value: () => shown })
}
