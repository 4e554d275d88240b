import { subscriptionOf } from '../../protocol/subscription-id.ts'
import { SluiceError } from '../../ground/errors.ts'
import { ENDING, SUCCESSOR } from './connector-hello.ts'
import { MetaKey } from '../../protocol/era.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { stringifyMessage } from '../../protocol/exact-message.ts'
import {
  isFailure,
  isJsonObject,
  isRequest,
  isResult,
  RpcErrorCode,
  stringIn,
  type JsonObject,
  type JsonRpcFailure,
  type JsonRpcMessage,
  type JsonRpcResult,
  type RequestId,
} from '../../protocol/json-rpc.ts'
import { fingerprintOf } from './fingerprint.ts'
import { OwnRequests } from './own-requests.ts'
import { answeredId, HEAD, isMessage, outlineOf, parse, whole } from './read-line.ts'
import { ACKNOWLEDGED, CHANGES, isList, isNoted, LISTEN, REPEATABLE } from './noted-methods.ts'

/** An unanswered request of the client. */
interface Asked {
  readonly method: string
  readonly params: JsonObject | undefined
  /** Undefined once a large unrepeatable one is sent. */
  readonly line: Buffer | undefined
  isSent: boolean
  /** Engines that ended while processing it. */
  losses: number
}

/** The client is notified if the next engine's list differs. */
interface KnownList {
  readonly params: JsonObject | undefined
  readonly hash: string
}

type Write = (line: Buffer) => void
const MOST_LOSSES = 2
const SMALL = 16_000
const LARGE = 1_000_000
/** A closing engine ends every listen request; only the end by a continuing engine counts. */
const MEANT_AFTER_MS = 1_000
const NOTIFICATION = /^\{"jsonrpc":"2\.0","method":"(notifications\/[^"\\]*)"/

/**
 * What another engine needs to continue: the client's introduction, subscriptions and unanswered requests. Most
 * answers are recognised by their first bytes and never parsed.
 */
export class Conversation {
  readonly #toClient: Write
  readonly #onSuccessor: () => void
  readonly #asked = new Map<RequestId, Asked>()
  /** Whose id the client used again before their answers. */
  readonly #earlier: (readonly [RequestId, Asked])[] = []
  readonly #own = new OwnRequests()
  /** By the client's id. */
  readonly #questions = new Map<RequestId, RequestId>()
  readonly #lists = new Map<string, KnownList>()
  readonly #subscribed = new Set<string>()
  /** To acknowledge once. */
  readonly #acknowledged = new Set<RequestId>()
  #hello: JsonObject | undefined
  #isInitialized = false
  #logLevel: JsonObject | undefined
  #streaming: RequestId | undefined
  /** Engines that were lost so far. */
  #losses = 0
  /** Where requests go; undefined without a greeted engine. */
  #send: Write | undefined
  /** New requests wait for the next engine; the rest passes. */
  #isHeld = false

  constructor(toClient: Write, onSuccessor: () => void = () => {}) {
    this.#toClient = toClient
    this.#onSuccessor = onSuccessor
  }

  get wantsEngine(): boolean {
    return this.#asked.size > 0 || this.#subscribed.size > 0
  }

  /** Whether nothing would be lost with this engine: requests and questions in either direction. */
  get isSettled(): boolean {
    if (!this.#send || this.#questions.size > 0 || this.#own.isWaiting) return false
    return ![...this.#asked.values()].some(({ method, isSent }) => isSent && method !== LISTEN)
  }

  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
    if (this.#send) this.#sendWaiting(this.#send)
  }

  /** Listen requests don't count. */
  get isWaiting(): boolean {
    return [...this.#asked.values()].some(({ method }) => method !== LISTEN)
  }

  begin(send: Write): void {
    this.#send = send
  }

  fromClient(line: Buffer): Buffer | undefined {
    const value = line.length > LARGE ? outlineOf(line) : parse(line)
    if (Array.isArray(value) && this.#send && !this.#isHeld) {
      for (const message of value.filter(isMessage))
        this.#fromClient(message, Buffer.from(stringifyMessage(message)))
      return line
    }
    if (Array.isArray(value)) {
      for (const message of value.filter(isMessage))
        this.#fromClient(message, Buffer.from(stringifyMessage(message)))
      return undefined
    }
    // The engine rejects it.
    return isMessage(value) ? this.#fromClient(value, line) : line
  }

  #fromClient(message: JsonRpcMessage, line: Buffer): Buffer | undefined {
    if (isResult(message) || isFailure(message)) return this.#answerOf(message, line)
    const { method, params } = message
    if (isRequest(message)) {
      if (!this.#send && method === 'ping' && this.#hello) {
        this.#say({ jsonrpc: '2.0', id: message.id, result: {} })
        return undefined
      }
      const isSent = this.#send !== undefined && !this.#isHeld
      const isKept = !isSent || REPEATABLE.has(method) || line.length < SMALL
      const kept = isKept ? Buffer.from(line) : undefined
      const before = this.#asked.get(message.id)
      if (before) this.#earlier.push([message.id, before])
      this.#asked.set(message.id, {
        method,
        params: isKept ? params : nameOf(params),
        line: kept,
        isSent,
        losses: 0,
      })
      return isSent ? line : undefined
    }
    if (method === 'notifications/initialized') this.#isInitialized = true
    if (method === 'notifications/cancelled') {
      const id = params?.['requestId']
      if (typeof id === 'string' || typeof id === 'number') this.#settle(id)
    }
    return this.#send ? line : undefined
  }

  #answerOf(answer: JsonRpcResult | JsonRpcFailure, line: Buffer): Buffer | undefined {
    const { id } = answer
    if (id === undefined || id === null) return line
    const asked = this.#questions.get(id)
    if (asked === undefined) return this.#losses === 0 ? line : undefined
    this.#questions.delete(id)
    if (asked === id) return line
    return Buffer.from(
      line.length > LARGE
        ? stringifyMessage({ ...whole(line), id: asked })
        : stringifyMessage({ ...answer, id: asked }),
    )
  }

  /** Whether a long line may pass in pieces, by its head. */
  mayStream(head: Buffer): boolean {
    const id = answeredId(head)
    if (id === undefined || OwnRequests.is(id) || isList(this.#asked.get(id)?.method)) return false
    this.#streaming = id
    return true
  }

  streamed(): void {
    if (this.#streaming !== undefined) this.#settle(this.#streaming)
    this.#streaming = undefined
  }

  fromEngine(line: Buffer): Buffer | undefined {
    const id = answeredId(line)
    if (id !== undefined && !OwnRequests.is(id) && !isNoted(this.#asked.get(id)?.method)) {
      this.#settle(id)
      return line
    }
    const notified = id === undefined ? NOTIFICATION.exec(line.toString('latin1', 0, HEAD))?.[1] : undefined
    if (notified === SUCCESSOR) {
      this.#onSuccessor()
      return undefined
    }
    if (notified !== undefined && notified !== ACKNOWLEDGED) return line
    const value = parse(line)
    if (Array.isArray(value)) {
      for (const message of value.filter(isMessage))
        if (isResult(message) || isFailure(message)) this.#settle(message.id ?? '')
      return line
    }
    return isMessage(value) ? this.#fromEngine(value, line) : line
  }

  #fromEngine(message: JsonRpcMessage, line: Buffer): Buffer | undefined {
    if (isResult(message) || isFailure(message)) {
      const { id } = message
      if (id === undefined || id === null) return line
      if (OwnRequests.is(id)) {
        this.#own.answered(id, message)
        return undefined
      }
      const asked = this.#asked.get(id)
      if (asked?.method === LISTEN && this.#acknowledged.has(id)) return this.#holdBack(id, asked, line)
      if (asked?.line && isFailure(message) && message.error.message === ENDING) {
        // Not executed: the next engine gets it.
        asked.isSent = false
        return undefined
      }
      if (asked && isResult(message)) this.#note(asked, message.result)
      this.#settle(id)
      return line
    }
    if (isRequest(message)) {
      // Engines count requests from one, so later engines get prefixed ids.
      const id = this.#losses === 0 ? message.id : `${this.#losses}:${message.id}`
      this.#questions.set(id, message.id)
      return id === message.id ? line : Buffer.from(stringifyMessage({ ...message, id }))
    }
    if (message.method !== ACKNOWLEDGED) return line
    const id = subscriptionOf(message.params)
    if (id !== undefined && this.#acknowledged.has(id)) return undefined
    if (id !== undefined && this.#asked.has(id)) this.#acknowledged.add(id)
    return line
  }

  #note({ method, params }: Asked, result: JsonObject): void {
    const uri = stringIn(params, 'uri')
    if (method === 'initialize') {
      this.#hello = params ?? {}
      this.#isInitialized = false
    } else if (method === 'logging/setLevel') this.#logLevel = params
    else if (method === 'resources/subscribe') this.#subscribed.add(uri)
    else if (method === 'resources/unsubscribe') this.#subscribed.delete(uri)
    else if (isList(method) && params?.['cursor'] === undefined)
      this.#lists.set(method, { params, hash: hashOf(result) })
  }

  #holdBack(id: RequestId, asked: Asked, line: Buffer): undefined {
    const losses = this.#losses
    const deliver = (): void => {
      if (this.#losses !== losses || this.#asked.get(id) !== asked) return
      this.#settle(id)
      this.#toClient(line)
    }
    setTimeout(deliver, MEANT_AFTER_MS).unref()
  }

  #settle(id: RequestId): void {
    this.#asked.delete(id)
    this.#acknowledged.delete(id)
    const index = this.#earlier.findIndex(([other]) => other === id)
    if (index !== -1) for (const [, asked] of this.#earlier.splice(index, 1)) this.#asked.set(id, asked)
  }

  /** Informs the client of the consequences. `why` is a sentence. */
  lost(why: string): void {
    this.#send = undefined
    this.#isHeld = false
    this.#losses++
    this.#streaming = undefined
    this.#own.lost(new SluiceError('ENGINE_UNREACHABLE', why))
    for (const requestId of this.#questions.keys())
      this.#say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: why } })
    this.#questions.clear()
    for (const [id, asked] of this.#earlier.splice(0)) this.#say(failureOf(id, lostWords(asked, why)))
    for (const [id, asked] of this.#asked) {
      if (!asked.isSent) continue
      asked.losses++
      if (asked.line && REPEATABLE.has(asked.method) && asked.losses < MOST_LOSSES) asked.isSent = false
      else this.#refuse(id, `${lostWords(asked, why)} ${GOES_ON}`)
    }
  }

  refuseAll(reason: string): void {
    for (const [id, asked] of [...this.#earlier.splice(0), ...this.#asked]) {
      const isChange = asked.isSent && !REPEATABLE.has(asked.method)
      this.#refuse(id, isChange ? lostWords(asked, reason) : `${asked.method} was not carried out. ${reason}`)
    }
  }

  /** Restores the lost engine's state, then sends waiting requests. */
  async greet(send: Write): Promise<void> {
    const known = [...this.#lists]
    const isNew = [...this.#asked.values()].some(({ method }) => method === 'initialize')
    if (this.#hello && !isNew) {
      const answer = await this.#own.ask(send, 'initialize', this.#hello)
      if (isFailure(answer)) throw new SluiceError('SERVER_UNAVAILABLE', answer.error.message)
      if (this.#isInitialized) send(Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}'))
      const agreed: [string, JsonObject][] = [...this.#subscribed].map((uri) => [
        'resources/subscribe',
        { uri },
      ])
      if (this.#logLevel) agreed.unshift(['logging/setLevel', this.#logLevel])
      for (const [method, params] of agreed) this.#own.ask(send, method, params).catch(() => {})
    }
    this.#send = send
    this.#sendWaiting(send)
    for (const [method, list] of known) this.#compare(send, method, list).catch(() => {})
  }

  #sendWaiting(send: Write): void {
    for (const asked of this.#asked.values()) {
      if (asked.isSent || !asked.line) continue
      asked.isSent = true
      send(asked.line)
    }
  }

  async #compare(send: Write, method: string, { params, hash }: KnownList): Promise<void> {
    const answer = await this.#own.ask(send, method, params)
    if (!isResult(answer) || hashOf(answer.result) === hash) return
    const [changed, field] = CHANGES[method] ?? ['', '']
    if (this.#hello) return this.#say({ jsonrpc: '2.0', method: changed })
    for (const [id, asked] of this.#asked) {
      const wanted = asked.method === LISTEN ? asked.params?.['notifications'] : undefined
      if (!isJsonObject(wanted) || wanted[field] !== true) continue
      this.#say({ jsonrpc: '2.0', method: changed, params: { _meta: { [MetaKey.subscriptionId]: id } } })
    }
  }

  #refuse(id: RequestId, message: string): void {
    this.#settle(id)
    this.#say(failureOf(id, message))
  }

  #say(message: JsonRpcMessage): void {
    this.#toClient(Buffer.from(stringifyMessage(message)))
  }
}

const failureOf = (id: RequestId, message: string): JsonRpcFailure => ({
  jsonrpc: '2.0',
  id,
  error: { code: RpcErrorCode.connectionClosed, message },
})

const GOES_ON = 'The connection itself goes on: the next request is served as usual.'

function lostWords({ method, params }: Asked, why: string): string {
  const name = stringIn(params, 'name')
  const what = name === '' ? method : `${method} of "${name}"`
  return `${why} ${what} was under way and its answer is lost; it may have been carried out, so look before you repeat it.`
}

const hashOf = (result: JsonObject): string => fingerprintOf(stringifyExact(result))

/** For errors; large arguments aren't kept. */
const nameOf = (params: JsonObject | undefined): JsonObject => ({ name: stringIn(params, 'name') })
