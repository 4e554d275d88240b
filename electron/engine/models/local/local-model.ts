import { SluiceError, messageOf } from '../../ground/errors.ts'
import { orAborted } from '../../ground/or-aborted.ts'
import type { Logger } from '../../ground/logger.ts'
import type { FromModelProcess } from '../process-messages.ts'
import type { Completion, CompletionRequest, TextModel } from '../text-model.ts'
import { createCompletionQueue } from '../completion-queue.ts'
import { createModelKeeper, type KeeperStatus, type LoadedProcess } from './keep-loaded.ts'
import { planLoad, type LoadPlanOptions } from './load-plan.ts'
import { threadCounts } from './machine.ts'
import type { ForkModelProcess } from './model-process.ts'
import { createObservedSpeed } from './observed-speed.ts'
import { ProcessEnded, type ModelQuestion } from './process-session.ts'
import type { MeasuredModel } from './speed-store.ts'

export interface LocalModelOptions extends LoadPlanOptions {
  /** Appended to each system prompt. */
  readonly systemNote?: string | undefined
  /** Trained context, in tokens. */
  readonly ownContext: number
  readonly fork: ForkModelProcess
  readonly settings: () => ReturnType<LoadPlanOptions['settings']> & {
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

/** A queue for one process, started on demand and ended when idle. */
export function createLocalModel(options: LocalModelOptions): LocalModel {
  const { key, machine, speeds, settings, now, logger, onChange = () => {} } = options
  const queue = createCompletionQueue()
  let memory: number | undefined
  let isMeasuring = false
  /** Repeats the device selection. */
  let isAfresh = false
  let isClosed = false

  const keeper = createModelKeeper({
    fork: options.fork,
    plan: () => planLoad(options, { isAfresh }),
    idleMs: () => settings().idleMs,
    now,
    logger,
    onChange,
  })

  const speed = createObservedSpeed({
    measured: () => speeds.get(key),
    device: () => keeper.status().facts?.device,
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
      if (typeof counted === 'number') speed.count(system.length + prompt.length, counted)
      throw error
    })
    speed.learn(request, done)
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
    speed.forget()
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
    capacity: () => ({
      contextTokens:
        keeper.status().facts?.contextTokens ?? Math.min(settings().contextTokens, options.ownContext),
      ...speed.capacity(),
    }),
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
