import { canAsk } from './ask-user.ts'
import type { ClientRequest } from '../transports/client-session.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { ApprovedOffer } from './approved-offer.ts'
import type { Approvals, Waiting } from '../../approvals/approvals.ts'
import { failedResult } from './relay.ts'
import type { ServerOffer } from './session-offers.ts'
import type { SessionClient } from './session-client.ts'

export interface ApprovalQuestion {
  readonly serverId: string
  readonly offer: ApprovedOffer
  readonly client: SessionClient
  readonly request: ClientRequest
}

/** 2026-07-28 clients answer by repeating the request. */
interface OpenQuestion {
  readonly client: string
  readonly identity: string
  readonly hashes: readonly string[]
  readonly until: number
}

/** Repetition must not wear the user down. */
const MOST_REFUSALS = 3
const OPEN_MS = 10 * 60_000
const MOST_OPEN = 100
const FIELD = 'decision'
const YES = 'approve'

/**
 * By elicitation. Only the user's explicit yes counts, for exactly what was shown; nothing from the model or client
 * defaults.
 */
export class ApprovalQuestions {
  readonly #approvals: Approvals
  readonly #now: () => number
  readonly #newId: (prefix: string) => string
  readonly #open = new Map<string, OpenQuestion>()
  readonly #asking = new Set<string>()
  readonly #refusals = new Map<string, { readonly hashes: string; readonly count: number }>()

  constructor(options: { approvals: Approvals; now: () => number; newId: (prefix: string) => string }) {
    this.#approvals = options.approvals
    this.#now = options.now
    this.#newId = options.newId
  }

  async put(question: ApprovalQuestion): Promise<JsonObject> {
    const { serverId, offer, client, request } = question
    const answered = this.#answeredIn(question)
    if (answered) return this.#settle(question, answered.hashes, answered.answer)
    const waiting = await this.#approvals.waiting(serverId, offer.identity)
    if (waiting.hashes.length === 0) {
      return offer.blocked === undefined
        ? textResult(`Nothing of the server "${serverId}" waits for approval.`)
        : failedResult(offer.blocked)
    }
    if (!canAsk(client.hello.capabilities)) {
      const why =
        offer.blocked ??
        `Some of what the server "${serverId}" offers is blocked: ${waiting.summary} ${howElse(serverId)}`
      return failedResult(`This client can't put a question to its user. ${why}`)
    }
    const key = keyOf(question)
    const refusals = this.#refusals.get(key)
    if (refusals?.hashes === waiting.hashes.join() && refusals.count >= MOST_REFUSALS) {
      return failedResult(
        `The user was asked ${refusals.count} times and did not approve. It is not asked again. ${howElse(serverId)}`,
      )
    }
    if (client.hello.era === 'modern') return this.#handOut(question, waiting)
    if (this.#asking.has(key)) return failedResult('The user has this question already. Wait for the answer.')
    this.#asking.add(key)
    const answer = await client
      .ask('elicitation/create', form(serverId, waiting), request.signal)
      .catch(() => undefined)
      .finally(() => this.#asking.delete(key))
    return this.#settle(question, waiting.hashes, answer)
  }

  /** 2026-07-28 clients accept no requests: the result has the question, the repeated request the answer. */
  #handOut({ serverId, offer, client }: ApprovalQuestion, waiting: Waiting): JsonObject {
    const now = this.#now()
    for (const [id, { until }] of this.#open) {
      if (until <= now || this.#open.size >= MOST_OPEN) this.#open.delete(id)
    }
    const requestState = this.#newId('q')
    const { identity } = offer
    this.#open.set(requestState, {
      client: client.name,
      identity,
      hashes: waiting.hashes,
      until: now + OPEN_MS,
    })
    const params = { mode: 'form', ...form(serverId, waiting) }
    return {
      resultType: 'input_required',
      inputRequests: { [FIELD]: { method: 'elicitation/create', params } },
      requestState,
    }
  }

  #answeredIn({
    offer,
    client,
    request,
  }: ApprovalQuestion): { hashes: readonly string[]; answer: unknown } | undefined {
    const { requestState, inputResponses } = request.params ?? {}
    const question = typeof requestState === 'string' ? this.#open.get(requestState) : undefined
    if (!question || question.client !== client.name || question.identity !== offer.identity) return undefined
    this.#open.delete(String(requestState))
    if (question.until <= this.#now()) return undefined
    return {
      hashes: question.hashes,
      answer: isJsonObject(inputResponses) ? inputResponses[FIELD] : undefined,
    }
  }

  #settle(question: ApprovalQuestion, hashes: readonly string[], answer: unknown): JsonObject {
    const { serverId, offer, client } = question
    const key = keyOf(question)
    if (!isYes(answer)) {
      const before = this.#refusals.get(key)
      const count = before?.hashes === hashes.join() ? before.count + 1 : 1
      this.#refusals.set(key, { hashes: hashes.join(), count })
      return failedResult(
        `The user was asked and did not approve, so it stays blocked: the server "${serverId}". Don't ask again unless the user wants you to. ${howElse(serverId)}`,
      )
    }
    this.#refusals.delete(key)
    const approved = this.#approvals.approve(offer.identity, hashes, `the user of ${client.name}`)
    if (approved < hashes.length) {
      return failedResult(
        `What the server "${serverId}" offers changed while the user was asked. Approved: ${approved} of ${hashes.length}; what changed stays blocked. List the tools again.`,
      )
    }
    return textResult(
      `The user approved the server "${serverId}". List the tools again: they can be called now.`,
    )
  }
}

export function onlyOneThatWaits(servers: readonly ServerOffer[]): ServerOffer | string {
  const waiting = servers.filter(({ offer }) => offer.blocked !== undefined || offer.waits)
  const [only] = waiting
  if (!only) return 'No server waits for approval.'
  if (waiting.length === 1) return only
  const names = waiting.map(({ serverId }) => serverId).join(', ')
  return `Several servers wait for approval. Name one of them as "server": ${names}.`
}

const keyOf = ({ client, offer }: ApprovalQuestion): string => `${offer.identity} ${client.name}`

const textResult = (text: string): JsonObject => ({ content: [{ type: 'text', text }] })

const howElse = (serverId: string): string =>
  `The user can look at it and approve it with "sluice review ${serverId}" or in the Sluice window.`

const form = (serverId: string, { summary, warnings }: Waiting): JsonObject => ({
  message: [
    `Sluice: ${summary}`,
    ...(warnings.length > 0 ? [`Look before you approve. Noticed: ${warnings.join('; ')}.`] : []),
    `Approve everything that the server "${serverId}" offers now? ("sluice review ${serverId}" shows all of it.)`,
  ].join('\n\n'),
  requestedSchema: {
    type: 'object',
    properties: {
      [FIELD]: { type: 'string', title: 'Decision', enum: [YES, 'keep blocked'] },
    },
    required: [FIELD],
  },
})

const isYes = (answer: unknown): boolean =>
  isJsonObject(answer) &&
  answer['action'] === 'accept' &&
  isJsonObject(answer['content']) &&
  answer['content'][FIELD] === YES
