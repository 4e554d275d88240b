import { SluiceError, messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import type { DeviceKind, FromModelProcess, Loaded } from '../process-messages.ts'
import type { ForkModelProcess } from './model-process.ts'
import { startSession, type ModelQuestion, type ProcessSession } from './process-session.ts'

export interface LoadedProcess {
  readonly session: ProcessSession
  readonly facts: Loaded
  readonly threads: number
}

type KeeperState = 'unloaded' | 'loading' | 'ready' | 'failed'

export interface KeeperStatus {
  readonly state: KeeperState
  readonly pid: number | undefined
  readonly facts: Loaded | undefined
  readonly threads: number | undefined
  /** If `failed`. */
  readonly failure: string | undefined
}

export interface ModelKeeper {
  /** Continues when a waiting caller leaves. Rejects with MODEL_UNAVAILABLE. */
  get(): Promise<LoadedProcess>
  /** Success: resets the count of crashes. */
  worked(): void
  /** Prevents unloading until `release`. */
  hold(): void
  release(): void
  /** Ends the process, because only that frees all memory. */
  unload(): Promise<void>
  status(): KeeperStatus
}

export interface ModelKeeperOptions {
  readonly fork: ForkModelProcess
  /** Rejects with the reason if impossible. */
  readonly plan: () => Promise<Extract<ModelQuestion, { type: 'load' }>>
  /** Idle milliseconds. */
  readonly idleMs: () => number
  readonly now: () => number
  readonly logger: Logger
  readonly onChange: () => void
}

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000
const LOAD_LIMIT_MS = 120_000
const REFUSED_FOR_MS = 60_000

export function createModelKeeper(options: ModelKeeperOptions): ModelKeeper {
  const { fork, plan, idleMs, now, logger, onChange } = options
  let session: ProcessSession | undefined
  let loading: Promise<LoadedProcess> | undefined
  let ready: LoadedProcess | undefined
  let holders = 0
  /** At the last start. */
  let asked: readonly DeviceKind[] = []
  let idle: NodeJS.Timeout | undefined
  let crashes = 0
  let failure: { message: string; until: number } | undefined

  const start = (): ProcessSession => {
    const started = startSession(fork())
    session = started
    void started.ended.then((how) => onEnded(started, how))
    return started
  }
  const onEnded = (ended: ProcessSession, how: string): void => {
    // Ended on purpose and already released.
    if (session !== ended) return
    const mayBeGraphics = (ready?.facts.device ?? asked[0]) !== 'cpu'
    forget()
    crashes++
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (crashes - 1))
    failure = { message: crashed(crashes, how, { pauseMs: pause, mayBeGraphics }), until: now() + pause }
    logger.warn('The model process ended by itself', { how, crashes, nextStartInMs: pause })
    onChange()
  }
  const forget = (): void => {
    clearTimeout(idle)
    session = undefined
    ready = undefined
    loading = undefined
  }
  const end = async (): Promise<void> => {
    const ending = session
    forget()
    await ending?.end()
  }
  const refuse = async (message: string): Promise<never> => {
    failure = { message, until: now() + REFUSED_FOR_MS }
    await end()
    onChange()
    throw unavailable(message)
  }

  const load = async (): Promise<LoadedProcess> => {
    let question: Extract<ModelQuestion, { type: 'load' }>
    try {
      question = await plan()
    } catch (error) {
      return refuse(messageOf(error))
    }
    asked = question.devices
    const started = start()
    let answer: FromModelProcess
    try {
      answer = await started.ask(question, AbortSignal.timeout(LOAD_LIMIT_MS))
    } catch (error) {
      await started.ended
      throw unavailable(failure?.message ?? `The model was not loaded (${messageOf(error)}).`)
    }
    if (answer.type === 'failed') return refuse(refusal(answer))
    if (answer.type !== 'loaded') return refuse('The model process gave an unexpected answer.')
    ready = { session: started, facts: answer, threads: question.threads }
    failure = undefined
    logger.info('A model was loaded', {
      path: question.path,
      device: answer.device,
      threads: question.threads,
      contextTokens: answer.contextTokens,
      ms: Math.round(answer.ms),
      memory: answer.memory,
    })
    startIdleClock()
    onChange()
    return ready
  }
  const startIdleClock = (): void => {
    clearTimeout(idle)
    if (holders > 0 || !ready) return
    idle = setTimeout(() => {
      logger.info('The model was unloaded: it was unused', { idleMs: idleMs() })
      void keeper.unload()
    }, idleMs())
    idle.unref()
  }

  const keeper: ModelKeeper = {
    get: async () => {
      if (ready) return ready
      if (failure && failure.until > now()) throw unavailable(failure.message)
      if (!loading) {
        loading = load().finally(() => (loading = undefined))
        // The caller may be gone when it fails.
        loading.catch(() => {})
        onChange()
      }
      return loading
    },
    worked: () => {
      crashes = 0
    },
    hold: () => {
      holders++
      clearTimeout(idle)
    },
    release: () => {
      holders--
      startIdleClock()
    },
    unload: async () => {
      await end()
      onChange()
    },
    status: () => ({
      state: stateOf(),
      pid: session?.pid,
      facts: ready?.facts,
      threads: ready?.threads,
      failure: failure?.message,
    }),
  }
  const stateOf = (): KeeperState => {
    if (ready) return 'ready'
    if (loading) return 'loading'
    return failure && failure.until > now() ? 'failed' : 'unloaded'
  }
  return keeper
}

const unavailable = (message: string): SluiceError => new SluiceError('MODEL_UNAVAILABLE', message)

const crashed = (
  crashes: number,
  how: string,
  { pauseMs, mayBeGraphics }: { pauseMs: number; mayBeGraphics: boolean },
): string =>
  `The model process ended by itself${crashes > 1 ? ` ${crashes} times in a row` : ''} (${how}). It is started again after ${Math.round(pauseMs / 1000)} s. If this goes on, ${mayBeGraphics ? 'turn the graphics card off with model.gpu or ' : ''}take another model.`

function refusal({ reason, message }: Extract<FromModelProcess, { type: 'failed' }>): string {
  if (reason === 'no-memory') {
    return `There is not enough memory for the model (${message}). Close other programs, or use a smaller model.`
  }
  if (reason === 'cancelled') {
    return `The model was not loaded within ${LOAD_LIMIT_MS / 1000} s. Use a smaller model, or a faster disk.`
  }
  return `llama.cpp can't load the model (${message}). Download it again, or use another one.`
}
