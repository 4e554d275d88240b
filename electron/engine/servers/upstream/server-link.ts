import type { ClientHello } from '../../protocol/era.ts'
import { toLegacyParams } from '../../protocol/era-bridge.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { PeerRequestOptions } from '../../protocol/peer.ts'
import { withEnvelope } from './envelope.ts'
import { fulfilInput, isInputRequired } from './fulfil-input.ts'
import { callAsTask, fulfilTask, isTask, takesTasks, type TaskOptions } from './fulfil-task.ts'
import type { UpstreamEvents, UpstreamLink, UpstreamRequestOptions } from '../../protocol/link.ts'
import type { OpenedPeer } from './opened-peer.ts'
import type { QuestionRounds } from './question-rounds.ts'
import { refusalAsResult, translateError } from './translate-error.ts'

type Send = (
  method: string,
  params: JsonObject | undefined,
  options: PeerRequestOptions,
) => Promise<JsonObject>

export interface ServerLinkOptions {
  readonly serverId: string
  readonly opened: OpenedPeer
  readonly client: ClientHello
  readonly events: UpstreamEvents
  readonly rounds: QuestionRounds | undefined
  readonly isAsked: () => boolean
}

export function createServerLink(options: ServerLinkOptions): UpstreamLink {
  const { serverId, opened, client, events, rounds, isAsked } = options
  const { hello, pid, peer, explain, close } = opened
  const isTranslating = client.era === 'legacy' && hello.era === 'modern'
  const state: { logLevel: unknown } = { logLevel: undefined }

  const sendBy =
    (ask: OpenedPeer['peer']['request']): Send =>
    async (method, params, requestOptions) => {
      const sent =
        hello.era === 'modern' ? withEnvelope(params, client, state.logLevel) : toLegacyParams(params)
      const held = { ...requestOptions }
      held.isHeldUp ??= isAsked
      try {
        return await ask(method, sent, held)
      } catch (error) {
        if (requestOptions.signal?.aborted) throw error
        const refusal = isTranslating ? refusalAsResult(method, error) : undefined
        if (refusal) return refusal
        throw translateError(explain(error), hello.era, client.era)
      }
    }
  const send = sendBy((...request) => peer.request(...request))

  const taskOptions = (requestOptions: PeerRequestOptions): TaskOptions => ({
    send: (method, params) => send(method, params, requestOptions),
    cancel: (taskId) => void send('tasks/cancel', { taskId }, {}).catch(() => {}),
    signal: requestOptions.signal ?? new AbortController().signal,
  })
  const sendAsTask: Send | undefined = opened.callAsTask
    ? sendBy(opened.callAsTask)
    : takesTasks(hello.capabilities)
      ? (_method, params, requestOptions) => callAsTask(params, taskOptions(requestOptions))
      : undefined

  const request = async (
    method: string,
    params: JsonObject | undefined,
    requestOptions: UpstreamRequestOptions = {},
  ): Promise<JsonObject> => {
    // 2026-07-28: each request's envelope has the level.
    if (isTranslating && method === 'logging/setLevel') {
      state.logLevel = params?.['level']
      return {}
    }
    const { asTask } = requestOptions
    // A client that requested a task follows it itself, if the server supports tasks.
    const isOwnTask = params !== undefined && 'task' in params && !opened.callAsTask
    const sendCall = asTask && !isOwnTask && sendAsTask ? sendAsTask : send
    if (rounds && hello.era === 'legacy') return rounds.request(method, params, requestOptions, sendCall)
    const result = await sendCall(method, params, requestOptions)
    if (!isTranslating) return result
    const signal = requestOptions.signal ?? new AbortController().signal
    const ask = (question: string, asked: JsonObject | undefined): Promise<JsonObject> =>
      events.onRequest(question, asked, signal, () => {})
    const final = isInputRequired(result)
      ? await fulfilInput(params, result, {
          repeat: (repeated) => send(method, repeated, requestOptions),
          ask,
        })
      : result
    return isTask(final) ? fulfilTask(final, { ...taskOptions(requestOptions), ask }) : final
  }

  return {
    serverId,
    hello,
    announced: opened.greeted.capabilities,
    pid,
    request,
    isOpen: () => opened.isOpen(),
    notify: (method, params) => peer.notify(method, params),
    close,
  }
}
