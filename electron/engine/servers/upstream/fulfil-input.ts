import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { isJsonObject, RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'

const MAX_ROUNDS = 8

export interface FulfilInputOptions {
  /** With other params. */
  readonly repeat: (params: JsonObject) => Promise<JsonObject>
  /** Elicitation, sampling or roots. */
  readonly ask: (method: string, params: JsonObject | undefined) => Promise<JsonObject>
}

/**
 * For a legacy client: sends it the requests of `input_required`, and repeats the call with the answers until the
 * result is final.
 */
export async function fulfilInput(
  params: JsonObject | undefined,
  first: JsonObject,
  options: FulfilInputOptions,
): Promise<JsonObject> {
  let result = first
  for (let round = 0; isInputRequired(result); round++) {
    if (round === MAX_ROUNDS) {
      const reason = `The server asked for input ${MAX_ROUNDS} times without coming to a result.`
      throw new RpcError(RpcErrorCode.internal, reason)
    }
    const { inputRequests, requestState } = result
    const questions = isJsonObject(inputRequests) ? inputRequests : {}
    const answers = await answerInput(questions, options)
    result = await options.repeat({
      ...params,
      ...(Object.keys(questions).length > 0 ? { inputResponses: answers } : {}),
      ...(requestState === undefined ? {} : { requestState }),
    })
  }
  return result
}

/** Answers have the same keys. */
export async function answerInput(
  questions: JsonObject,
  options: Pick<FulfilInputOptions, 'ask'>,
): Promise<JsonObject> {
  const answers = Object.entries(questions).map(
    async ([key, question]) => [key, await answer(question, options)] as const,
  )
  return Object.fromEntries(await Promise.all(answers))
}

export const isInputRequired = (result: JsonObject): boolean => result['resultType'] === 'input_required'

/** 2025-11-25 requires an id for pages to open; 2026-07-28 has none. */
const withPageId = (params: JsonObject): JsonObject =>
  params['mode'] === 'url' && params['elicitationId'] === undefined
    ? { ...params, elicitationId: randomUUID() }
    : params

async function answer(question: unknown, options: Pick<FulfilInputOptions, 'ask'>): Promise<JsonObject> {
  if (!isJsonObject(question) || typeof question['method'] !== 'string')
    throw new RpcError(RpcErrorCode.internal, 'The server asked for input in an unknown form.')
  const params = isJsonObject(question['params']) ? question['params'] : undefined
  return options.ask(question['method'], params && withPageId(params))
}
