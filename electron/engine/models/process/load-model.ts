import {
  LlamaChatSession,
  LlamaGrammar,
  resolveChatWrapper,
  type ChatWrapper,
  type Llama,
  type LlamaContext,
  type LlamaContextSequence,
  type LlamaModel,
} from 'node-llama-cpp'
import type { Completed, Loaded, Speed, ToModelProcess } from '../process-messages.ts'
import { withoutThoughts } from '../../chat-endpoint/without-thoughts.ts'
import { measureSpeed } from './measure-speed.ts'
import { openDevice } from './open-device.ts'

type LoadRequest = Extract<ToModelProcess, { type: 'load' }>
type CompleteRequest = Extract<ToModelProcess, { type: 'complete' }>

export interface LoadedModel {
  readonly facts: Loaded
  /** Rejects with the signal's reason. */
  complete(request: CompleteRequest, signal: AbortSignal): Promise<Completed>
  measure(threads: readonly number[], signal: AbortSignal): Promise<Speed[]>
}

export class PromptTooLong extends Error {
  readonly promptTokens: number | undefined

  constructor(message: string, promptTokens: number | undefined) {
    super(message)
    this.promptTokens = promptTokens
  }
}

/** Tokens read at once. More would delay an abort and take more memory. */
const BATCH_TOKENS = 256

export async function loadModel(request: LoadRequest): Promise<LoadedModel> {
  const start = performance.now()
  const { llama, ...device } = await openDevice(request.devices)
  const model = await llama.loadModel({ modelPath: request.path })
  const context = await model.createContext({
    contextSize: request.contextTokens,
    batchSize: Math.min(BATCH_TOKENS, request.contextTokens),
    threads: request.threads,
  })
  const sequence = context.getSequence()
  const chatWrapper = resolveChatWrapper(model, {
    type: WRAPPERS[request.promptFormat],
    warningLogs: false,
    customWrapperSettings: { qwen: { thoughts: 'discourage' } },
  })
  return {
    facts: {
      device: device.device,
      ...(device.deviceName === undefined ? {} : { deviceName: device.deviceName }),
      refused: device.refused,
      contextTokens: context.contextSize,
      ms: performance.now() - start,
    },
    complete: (each, signal) => complete({ llama, model, context, sequence, chatWrapper }, each, signal),
    measure: (threads, signal) => measureSpeed(model, threads, signal),
  }
}

const WRAPPERS = { qwen: 'qwen', chatml: 'chatML', template: 'auto' } as const

interface Parts {
  readonly llama: Llama
  readonly model: LlamaModel
  readonly context: LlamaContext
  readonly sequence: LlamaContextSequence
  readonly chatWrapper: ChatWrapper
}

/** Stateless: the same request has the same answer. */
async function complete(parts: Parts, request: CompleteRequest, signal: AbortSignal): Promise<Completed> {
  const { llama, model, context, sequence, chatWrapper } = parts
  const room = context.contextSize - request.maxTokens - TEMPLATE_TOKENS
  const isHopeless = request.prompt.length > context.contextSize * 50
  if (isHopeless) throw tooLong(context)
  const counted = model.tokenize(`${request.system}${request.prompt}`).length
  if (counted > room) throw tooLong(context, counted)
  await sequence.clearHistory()
  const session = new LlamaChatSession({
    contextSequence: sequence,
    chatWrapper,
    systemPrompt: request.system,
    autoDisposeSequence: false,
    // By default the library drops part of the prompt silently.
    contextShift: {
      strategy: () => {
        throw tooLong(context)
      },
    },
  })
  const before = sequence.tokenMeter.getState()
  const start = performance.now()
  let firstToken: number | undefined
  try {
    const grammar = request.grammar && (await toGrammar(llama, request.grammar))
    const answer = await session.promptWithMeta(request.prompt, {
      maxTokens: request.maxTokens,
      // Greedy, so that results are reproducible.
      temperature: 0,
      signal,
      budgets: { thoughtTokens: 0 },
      onToken: () => (firstToken ??= performance.now()),
      ...(grammar === undefined ? {} : { grammar }),
    })
    const end = performance.now()
    const used = sequence.tokenMeter.diff(before)
    return {
      text: withoutThoughts(answer.responseText),
      promptTokens: used.usedInputTokens,
      outputTokens: used.usedOutputTokens,
      isCut: answer.stopReason === 'maxTokens',
      promptMs: (firstToken ?? end) - start,
      outputMs: end - (firstToken ?? end),
    }
  } finally {
    session.dispose({ disposeSequence: false })
  }
}

const tooLong = ({ contextSize }: LlamaContext, promptTokens?: number): PromptTooLong =>
  new PromptTooLong(`Prompt and answer don't fit into ${contextSize} tokens.`, promptTokens)

const TEMPLATE_TOKENS = 64

async function toGrammar(
  llama: Llama,
  grammar: NonNullable<CompleteRequest['grammar']>,
): Promise<LlamaGrammar> {
  return 'gbnf' in grammar
    ? new LlamaGrammar(llama, { grammar: grammar.gbnf })
    : // The library checks whether it supports the schema.
      llama.createGrammarForJsonSchema(grammar.jsonSchema as { type: 'object' })
}
