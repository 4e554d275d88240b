import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { isJsonObject, RpcError, RpcErrorCode, stringIn } from '../../protocol/json-rpc.ts'
import type { IncomingRequest, PeerRequestOptions } from '../../protocol/peer.ts'
import { RequestCancelled } from '../../protocol/peer.ts'
import { canOpenPages, capabilityFor, needsPages, pagesToOpen, toModernQuestion } from './modern-question.ts'

type Send = (
  method: string,
  params: JsonObject | undefined,
  options: PeerRequestOptions,
) => Promise<JsonObject>

export interface QuestionRoundsOptions {
  /** Given to the server. */
  readonly capabilities: JsonObject
  readonly offerRoots: () => void
  /** For the client to answer. */
  readonly patienceMs?: number
  readonly onAnswered?: (method: string, answer: JsonObject) => void
}

interface Question {
  readonly method: string
  readonly params: JsonObject | undefined
  /** The server named the call; otherwise any call may carry the request. */
  readonly isTied: boolean
  readonly resolve: (answer: JsonObject) => void
  readonly reject: (error: Error) => void
}

interface WaitingCall {
  readonly id: string
  readonly method: string
  readonly subject: string
  readonly start: () => Promise<JsonObject>
  readonly abort: AbortController
  readonly questions: Map<string, Question>
  listener: PeerRequestOptions | undefined
  isStarted: boolean
  outcome: { readonly result: JsonObject } | { readonly error: unknown } | undefined
  asked: number
  round: number
  changed: PromiseWithResolvers<void>
  timer: NodeJS.Timeout | undefined
}

/** Their results may ask for input in 2026-07-28. */
const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])
const GATHER_MS = 25
const ROOTS_MS = 300
const PATIENCE_MS = 10 * 60_000
/** Rounds that open pages. */
const MOST_PAGE_ROUNDS = 8

/**
 * A legacy server's requests during a call, which a modern client doesn't accept: it gets them in an `input_required`
 * result, and its repeated request with the answers resumes the waiting call.
 */
export class QuestionRounds {
  readonly #options: QuestionRoundsOptions
  readonly #calls = new Map<string, WaitingCall>()
  /** Outside calls: the next call carries them. */
  readonly #parked = new Set<Question>()
  #rootsWereMissed = false

  constructor(options: QuestionRoundsOptions) {
    this.#options = options
  }

  /** Without a particular call. */
  readonly onRequest = (request: IncomingRequest): Promise<JsonObject> => {
    const calls = [...this.#calls.values()]
    return this.#ask(
      request,
      calls.findLast(({ isStarted, listener, outcome }) => (isStarted || listener) && !outcome),
    )
  }

  async request(
    method: string,
    params: JsonObject | undefined,
    options: PeerRequestOptions,
    send: Send,
  ): Promise<JsonObject> {
    if (!mayAsk.has(method)) return send(method, params, options)
    const { requestState, inputResponses, ...rest } = params ?? {}
    if (requestState !== undefined) {
      const call = this.#resumed(requestState, method, subjectOf(rest))
      this.#answerQuestions(call, inputResponses)
      return this.#next(call, options)
    }
    return this.#next(this.#begin(method, rest, options, send), options)
  }

  #resumed(requestState: unknown, method: string, subject: string): WaitingCall {
    const [id = '', round] = String(requestState).split('.')
    const call = this.#calls.get(id)
    const isOurs = call && requestState === stateOf(call, Number(round)) && Number(round) <= call.round
    if (isOurs && call.method === method && call.subject === subject) {
      if (!call.listener) return call
      throw new RpcError(RpcErrorCode.invalidParams, 'Another request waits for this call already.')
    }
    throw new RpcError(
      RpcErrorCode.invalidParams,
      'Invalid or expired requestState: no call waits for these answers. Make the call again, without requestState.',
      { reason: 'invalid_request_state' },
    )
  }

  #begin(method: string, params: JsonObject, options: PeerRequestOptions, send: Send): WaitingCall {
    const abort = new AbortController()
    const call: WaitingCall = {
      id: randomUUID(),
      method,
      subject: subjectOf(params),
      abort,
      questions: new Map(),
      listener: undefined,
      isStarted: false,
      outcome: undefined,
      asked: 0,
      round: 0,
      changed: Promise.withResolvers<void>(),
      timer: undefined,
      start: () =>
        this.#openingPages(call, () =>
          send(method, params, {
            signal: abort.signal,
            onRelated: (...notification) => call.listener?.onRelated?.(...notification),
            onQuestion: (request) => this.#ask(request, call, true),
            isHeldUp: () => call.questions.size > 0,
            ...(options.onProgress
              ? { onProgress: (notification) => call.listener?.onProgress?.(notification) }
              : {}),
            ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
            ...(options.lateWords === undefined ? {} : { lateWords: options.lateWords }),
          }),
        ),
    }
    this.#calls.set(call.id, call)
    for (const question of this.#parked) put(call, question)
    this.#parked.clear()
    return call
  }

  async #next(call: WaitingCall, options: PeerRequestOptions): Promise<JsonObject> {
    clearTimeout(call.timer)
    call.listener = options
    const onAbort = (): void => this.#giveUp(call, options.signal?.reason)
    if (options.signal?.aborted) onAbort()
    else options.signal?.addEventListener('abort', onAbort, { once: true })
    try {
      while (!call.outcome) {
        if (call.questions.size > 0) {
          await quiet(call)
          if (call.questions.size > 0 && !call.outcome) return this.#handOut(call)
        } else {
          if (!call.isStarted && this.#rootsWereMissed) await this.#offerRoots(call)
          else if (!call.isStarted) {
            // The server should process answers before the call that needs them.
            if (call.asked > 0) await pause(GATHER_MS)
            if (!call.outcome) start(call)
          } else await call.changed.promise
        }
      }
      this.#forget(call)
      if ('error' in call.outcome) throw call.outcome.error
      return call.outcome.result
    } finally {
      call.listener = undefined
      options.signal?.removeEventListener('abort', onAbort)
    }
  }

  async #offerRoots(call: WaitingCall): Promise<void> {
    this.#rootsWereMissed = false
    this.#options.offerRoots()
    await Promise.race([call.changed.promise, pause(ROOTS_MS)])
  }

  #handOut(call: WaitingCall): JsonObject {
    call.round++
    const patienceMs = this.#options.patienceMs ?? PATIENCE_MS
    const late = `The client did not answer within ${patienceMs / 60_000} minutes.`
    call.timer = setTimeout(() => this.#giveUp(call, new RequestCancelled(late)), patienceMs)
    call.timer.unref()
    const inputRequests = [...call.questions].map(([key, { method, params }]) => [
      key,
      { method, params: params ?? {} },
    ])
    return {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(inputRequests) as JsonObject,
      requestState: stateOf(call, call.round),
    }
  }

  #ask(request: IncomingRequest, call: WaitingCall | undefined, isTied = false): Promise<JsonObject> {
    const { method, signal } = request
    if (method === 'ping') return Promise.resolve({})
    const needed = capabilityFor(method)
    if (needed === undefined || this.#options.capabilities[needed] === undefined) {
      const reason = `${method}: the client takes no such request.`
      return Promise.reject(new RpcError(RpcErrorCode.methodNotFound, reason))
    }
    return new Promise<JsonObject>((resolve, reject) => {
      const question: Question = {
        method,
        params: toModernQuestion(method, request.params),
        isTied,
        resolve,
        reject,
      }
      const onAbort = (): void => {
        this.#withdraw(question)
        reject(signal.reason instanceof Error ? signal.reason : new RequestCancelled(undefined))
      }
      if (signal.aborted) return onAbort()
      signal.addEventListener('abort', onAbort, { once: true })
      if (call) put(call, question)
      else this.#parked.add(question)
    })
  }

  /** Unanswered requests stay open and are sent again. */
  #answerQuestions(call: WaitingCall, answers: unknown): void {
    if (!isJsonObject(answers)) return
    for (const [key, question] of call.questions) {
      const answer = answers[key]
      if (!isJsonObject(answer)) continue
      call.questions.delete(key)
      this.#options.onAnswered?.(question.method, answer)
      question.resolve(answer)
    }
  }

  /** Withdrawn by the server. */
  #withdraw(question: Question): void {
    if (this.#parked.delete(question) && question.method === 'roots/list') this.#rootsWereMissed = true
    for (const call of this.#calls.values())
      for (const [key, asked] of call.questions) if (asked === question) call.questions.delete(key)
  }

  #giveUp(call: WaitingCall, reason: unknown): void {
    call.abort.abort(reason)
    call.outcome ??= { error: reason }
    this.#forget(call)
    touch(call)
  }

  #forget(call: WaitingCall): void {
    clearTimeout(call.timer)
    this.#calls.delete(call.id)
    for (const question of call.questions.values()) {
      if (question.isTied) question.reject(new Error('The client gave up the call.'))
      else this.#parked.add(question)
    }
    call.questions.clear()
  }

  /** Opens pages that a legacy server requires, and repeats the call. */
  async #openingPages(call: WaitingCall, send: () => Promise<JsonObject>): Promise<JsonObject> {
    for (let round = 0; ; round++) {
      try {
        return await send()
      } catch (error) {
        const pages = pagesToOpen(error)
        if (!pages || round === MOST_PAGE_ROUNDS) throw error
        if (!canOpenPages(this.#options.capabilities)) throw needsPages(error)
        const answers = await Promise.all(
          pages.map(
            (params) =>
              new Promise<JsonObject>((resolve, reject) =>
                put(call, { method: 'elicitation/create', params, isTied: true, resolve, reject }),
              ),
          ),
        )
        if (answers.some(({ action }) => action !== 'accept'))
          throw new RpcError(
            RpcErrorCode.internal,
            `${pages.map((page) => stringIn(page, 'message')).join(' ')} The page was not opened, so the call can't be made.`,
          )
      }
    }
  }
}

const subjectOf = (params: JsonObject): string => stringIn(params, 'name') || stringIn(params, 'uri')

const stateOf = ({ id }: WaitingCall, round: number): string => `${id}.${round}`

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

async function quiet(call: WaitingCall): Promise<void> {
  const happens = (): Promise<boolean> => call.changed.promise.then(() => true)
  while (!call.outcome && (await Promise.race([happens(), pause(GATHER_MS).then(() => false)]))) {}
}

function touch(call: WaitingCall): void {
  call.changed.resolve()
  call.changed = Promise.withResolvers<void>()
}

function put(call: WaitingCall, question: Question): void {
  call.questions.set(`${question.method.split('/')[0]}-${++call.asked}`, question)
  touch(call)
}

function start(call: WaitingCall): void {
  call.isStarted = true
  call.start().then(
    (result) => settle(call, { result }),
    (error: unknown) => settle(call, { error }),
  )
}

function settle(call: WaitingCall, outcome: NonNullable<WaitingCall['outcome']>): void {
  call.outcome ??= outcome
  touch(call)
}
