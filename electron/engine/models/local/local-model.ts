import { SluiceError, messageOf } from '../../ground/errors.ts'
import { orAborted } from '../../ground/or-aborted.ts'
import type { Logger } from '../../ground/logger.ts'
import { blend } from '../blend.ts'
import type { GgufHeader } from '../gguf/read-gguf-header.ts'
import type { DeviceKind, FromModelProcess, PromptFormat } from '../process-messages.ts'
import {
  slowdownAt,
  type Completion,
  type CompletionRequest,
  type ModelCapacity,
  type TextModel,
} from '../text-model.ts'
import { createCompletionQueue } from '../completion-queue.ts'
import { createModelKeeper, type KeeperStatus, type LoadedProcess } from './keep-loaded.ts'
import { devicesOf, threadCounts, type Machine } from './machine.ts'
import { fitContext } from './memory-need.ts'
import type { ForkModelProcess } from './model-process.ts'
import { ProcessEnded, type ModelQuestion } from './process-session.ts'
import type { MeasuredModel, SpeedStore } from './speed-store.ts'

export interface LocalModelOptions {
  /** Names the weights. */
  readonly key: string
  readonly path: string
  readonly promptFormat: PromptFormat
  /** Appended to each system prompt. */
  readonly systemNote?: string | undefined
  /** Trained context, in tokens. */
  readonly ownContext: number
  /** Called before each load. */
  readonly readHeader: (path: string) => Promise<GgufHeader>
  readonly fork: ForkModelProcess
  readonly machine: Machine
  readonly speeds: SpeedStore
  readonly settings: () => {
    readonly gpu: 'auto' | 'off'
    readonly contextTokens: number
    readonly idleMs: number
    readonly timeLimitMs: number
  }
  readonly now: () => number
  readonly logger: Logger
  readonly onChange?: () => void
}

export interface LocalModelStatus extends Omit<KeeperStatus, 'facts'> {
  readonly facts: KeeperStatus['facts']
  /** Bytes freed if the process ended, as of its last answer. */
  readonly memory: number | undefined
  readonly queued: number
  readonly measured: MeasuredModel | undefined
}

export interface LocalModel extends TextModel {
  status(): LocalModelStatus
  measure(signal?: AbortSignal): Promise<MeasuredModel>
  unload(): Promise<void>
  close(): Promise<void>
}

/** Shorter prompts measure the start-up. */
const TELLING_TOKENS = 64
/**
 * Tokens. A processor attends to the whole prompt for each token: with a 0.6B model 1,050 tokens took 1.7 times and
 * 1,950 tokens 2.1 times as long as a short prompt's speed predicts. Larger models slow down later.
 */
const READS_HALF_AS_FAST_AT = 1500

/** A queue for one process, started on demand and ended when idle. */
export function createLocalModel(options: LocalModelOptions): LocalModel {
  const { key, path, promptFormat, machine, speeds, settings, now, logger, onChange = () => {} } = options
  const queue = createCompletionQueue()
  let memory: number | undefined
  let charactersPerToken: number | undefined
  let recent: Pick<ModelCapacity, 'promptTokensPerSecond' | 'outputTokensPerSecond'> | undefined
  let isMeasuring = false
  /** Repeats the device selection. */
  let isAfresh = false
  let isClosed = false

  const devices = (): DeviceKind[] => {
    const wanted = devicesOf(machine, settings().gpu)
    const known = speeds.get(key)
    if (!known || isAfresh) return wanted
    // Detecting a missing graphics card takes seconds, so not at each start.
    const before = wanted.slice(0, Math.max(0, wanted.indexOf(known.device)))
    const isTried = before.every((device) => known.refused.some((refused) => refused.device === device))
    return isTried && wanted.includes(known.device) ? [...new Set<DeviceKind>([known.device, 'cpu'])] : wanted
  }
  const plan = async (): Promise<Extract<ModelQuestion, { type: 'load' }>> => {
    const header = await options.readHeader(path)
    const free = machine.freeMemory()
    const fit = fitContext(header, settings().contextTokens, free)
    if (!fit.fits) {
      throw new SluiceError(
        'MODEL_UNAVAILABLE',
        `The model needs ${gigabytes(fit.bytes)} of memory, and ${gigabytes(free)} are free. Close other programs, or use a smaller model.`,
      )
    }
    const [usual = 1] = threadCounts(machine.cores, 'cpu')
    const threads = speeds.get(key)?.threads ?? speeds.usualThreads() ?? usual
    return { type: 'load', path, devices: devices(), threads, contextTokens: fit.contextTokens, promptFormat }
  }
  const keeper = createModelKeeper({
    fork: options.fork,
    plan,
    idleMs: () => settings().idleMs,
    now,
    logger,
    onChange,
  })

  /** Loads if needed. Rejects when the signal aborts, at the latest when the process has stopped. */
  const ask = async (
    question: ModelQuestion,
    signal: AbortSignal,
  ): Promise<[FromModelProcess, LoadedProcess]> => {
    keeper.hold()
    try {
      const loaded = await orAborted(keeper.get(), signal)
      const answer = await loaded.session.ask(question, signal)
      memory = answer.memory
      signal.throwIfAborted()
      if (answer.type === 'failed') throw failureOf(answer)
      keeper.worked()
      return [answer, loaded]
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error
      throw new SluiceError('MODEL_FAILED', `The model process ended while it worked (${error.message}).`, {
        cause: error,
      })
    } finally {
      keeper.release()
    }
  }

  /** Within time limits, graphics cards read long prompts as fast as short ones. */
  const slowness = (): Pick<ModelCapacity, 'readsHalfAsFastAt'> =>
    (keeper.status().facts?.device ?? speeds.get(key)?.device) === 'cpu'
      ? { readsHalfAsFastAt: READS_HALF_AS_FAST_AT }
      : {}

  const learn = (
    request: CompletionRequest,
    done: Extract<FromModelProcess, { type: 'completed' }>,
  ): void => {
    const characters = request.system.length + request.prompt.length
    charactersPerToken = blend(charactersPerToken, characters / Math.max(1, done.promptTokens))
    const known = recent ?? speeds.get(key)
    if (done.promptTokens < TELLING_TOKENS || done.promptMs <= 0) return
    const shortMs = done.promptMs / slowdownAt(done.promptTokens, slowness())
    recent = {
      promptTokensPerSecond: blend(known?.promptTokensPerSecond, (done.promptTokens * 1000) / shortMs),
      outputTokensPerSecond:
        done.outputTokens < 8 || done.outputMs <= 0
          ? known?.outputTokensPerSecond
          : blend(known?.outputTokensPerSecond, ((done.outputTokens - 1) * 1000) / done.outputMs),
    }
  }

  const complete = async (request: CompletionRequest): Promise<Completion> => {
    const { prompt, maxTokens, grammar, signal, priority } = request
    const system =
      options.systemNote === undefined ? request.system : `${request.system}\n${options.systemNote}`
    const start = performance.now()
    const answering = queue.take(
      async (turn) => {
        const [answer] = await ask(
          {
            type: 'complete',
            system,
            prompt,
            maxTokens,
            ...(grammar === undefined ? {} : { grammar: forWire(grammar) }),
          },
          turn,
        )
        if (answer.type !== 'completed') throw outOfTurn()
        return answer
      },
      { signal, priority, timeLimitMs: request.timeLimitMs ?? settings().timeLimitMs },
    )
    // Otherwise a model too slow for its first request would never be measured.
    const done = await answering.catch((error: unknown) => {
      if (isLate(error) && !speeds.get(key)) measureLater()
      // For the next request.
      const counted = error instanceof SluiceError ? error.data['promptTokens'] : undefined
      if (typeof counted === 'number') charactersPerToken = (system.length + prompt.length) / counted
      throw error
    })
    learn(request, done)
    if (!speeds.get(key)) measureLater()
    const { text, promptTokens, outputTokens, isCut } = done
    return { text, promptTokens, outputTokens, isCut, ms: performance.now() - start }
  }

  const measure = async (turn: AbortSignal): Promise<MeasuredModel> => {
    const { facts } = await orAborted(keeper.get(), turn)
    const counts = threadCounts(machine.cores, facts.device)
    const [answer, loaded] = await ask({ type: 'measure', threads: counts }, turn)
    if (answer.type !== 'measured') throw outOfTurn()
    const best = answer.speeds.reduce((a, b) => (secondsFor(b) < secondsFor(a) ? b : a))
    const { device, deviceName, refused } = loaded.facts
    const measured: MeasuredModel = {
      device,
      ...(deviceName === undefined ? {} : { deviceName }),
      // Keep an earlier start's findings if this one didn't try again.
      refused: refused.length > 0 ? refused : (speeds.get(key)?.refused ?? []),
      ...best,
      measuredAt: now(),
    }
    speeds.set(key, measured)
    recent = undefined
    logger.info('The model was measured', { key, speeds: answer.speeds, threads: best.threads })
    // The thread count can't be changed: reload with the next request.
    if (best.threads !== loaded.threads) await keeper.unload()
    onChange()
    return measured
  }
  const measureLater = (): void => {
    if (isMeasuring || isClosed) return
    isMeasuring = true
    queue
      .take(measure, { priority: 'background', givesWay: true })
      .catch((error: unknown) => logger.debug('The model could not be measured', { cause: messageOf(error) }))
      .finally(() => (isMeasuring = false))
  }

  return {
    key,
    isRemote: false,
    complete,
    capacity: () => {
      const known = recent ?? speeds.get(key)
      return {
        contextTokens:
          keeper.status().facts?.contextTokens ?? Math.min(settings().contextTokens, options.ownContext),
        promptTokensPerSecond: known?.promptTokensPerSecond,
        outputTokensPerSecond: known?.outputTokensPerSecond,
        ...slowness(),
        charactersPerToken,
      }
    },
    status: () => ({ ...keeper.status(), memory, queued: queue.size(), measured: speeds.get(key) }),
    measure: (signal) =>
      queue.take(
        async (turn) => {
          isAfresh = true
          try {
            await keeper.unload()
            return await measure(turn)
          } finally {
            isAfresh = false
          }
        },
        { signal },
      ),
    unload: () => keeper.unload(),
    close: async () => {
      isClosed = true
      queue.close(
        new SluiceError(
          'MODEL_UNAVAILABLE',
          'The model was closed: the settings name another one, or Sluice ends.',
        ),
      )
      await keeper.unload()
    },
  }
}

const secondsFor = (speed: { promptTokensPerSecond: number; outputTokensPerSecond: number }): number =>
  1000 / speed.promptTokensPerSecond + 150 / speed.outputTokensPerSecond

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

const isLate = (error: unknown): boolean => error instanceof SluiceError && error.code === 'MODEL_LATE'

const outOfTurn = (): SluiceError =>
  new SluiceError('MODEL_FAILED', 'The model process gave an unexpected answer.')

function failureOf(failed: Extract<FromModelProcess, { type: 'failed' }>): SluiceError {
  const { reason, message, promptTokens } = failed
  if (reason === 'too-long') {
    return new SluiceError('LIMIT_REACHED', `The text is too long for the model. ${message}`, {
      data: { promptTokens },
    })
  }
  return new SluiceError('MODEL_FAILED', `The model could not answer (${message}).`)
}

/** Node's channel carries JSON, and the library needs mutable schemas. */
const forWire = (
  grammar: NonNullable<CompletionRequest['grammar']>,
): { gbnf: string } | { jsonSchema: Record<string, never> } =>
  'gbnf' in grammar ? grammar : { jsonSchema: structuredClone(grammar.jsonSchema) as Record<string, never> }
