import { EventEmitter } from 'node:events'

/** Set by the older Node that started this process; servers must not inherit it. */
export const HANDED_OVER = 'SLUICE_HANDED_OVER'

/** Sent by the older Node. */
export interface ForwardedSignal {
  readonly signal: NodeJS.Signals
}

type Signals = Pick<NodeJS.EventEmitter, 'on' | 'off'>
type Process = Signals &
  Pick<NodeJS.Process, 'pid' | 'kill' | 'channel'> & { readonly env: Record<string, string | undefined> }

/**
 * Under an older Node a request to end arrives twice, from the system (signal to the group) and from the parent. The
 * parent's exit counts, too.
 */
export function signalsOf(process: Process): Signals {
  if (process.env[HANDED_OVER] === undefined || !process.channel) return process
  delete process.env[HANDED_OVER]
  const requests = new Requests(process)
  process.on('message', (message: unknown) => {
    const signal = signalIn(message)
    if (signal) requests.forwarded(signal)
  })
  process.on('disconnect', () => requests.atLeastOne('SIGTERM'))
  // The channel must not keep the process alive.
  process.channel.unref()
  return requests
}

interface Count {
  direct: number
  forwarded: number
  readonly onDirect: () => void
}

class Requests implements Signals {
  readonly #process: Process
  readonly #emitter = new EventEmitter()
  readonly #counts = new Map<string, Count>()

  constructor(process: Process) {
    this.#process = process
  }

  on(signal: string, listener: () => void): NodeJS.EventEmitter {
    const { onDirect } = this.#countOf(signal)
    if (this.#emitter.listenerCount(signal) === 0) this.#process.on(signal, onDirect)
    return this.#emitter.on(signal, listener)
  }

  off(signal: string, listener: () => void): NodeJS.EventEmitter {
    this.#emitter.off(signal, listener)
    if (this.#emitter.listenerCount(signal) === 0) this.#process.off(signal, this.#countOf(signal).onDirect)
    return this.#emitter
  }

  forwarded(signal: NodeJS.Signals): void {
    // Without listeners the system's default applies.
    if (this.#emitter.listenerCount(signal) === 0) this.#process.kill(this.#process.pid, signal)
    else this.#request(signal, 'forwarded')
  }

  atLeastOne(signal: NodeJS.Signals): void {
    const isAsked = [...this.#counts.values()].some(({ direct, forwarded }) => direct + forwarded > 0)
    if (!isAsked) this.forwarded(signal)
  }

  #request(signal: string, how: 'direct' | 'forwarded'): void {
    const count = this.#countOf(signal)
    const before = Math.max(count.direct, count.forwarded)
    count[how]++
    if (count[how] > before) this.#emitter.emit(signal, signal)
  }

  #countOf(signal: string): Count {
    const known = this.#counts.get(signal)
    if (known) return known
    const count = { direct: 0, forwarded: 0, onDirect: () => this.#request(signal, 'direct') }
    this.#counts.set(signal, count)
    return count
  }
}

function signalIn(message: unknown): NodeJS.Signals | undefined {
  if (typeof message !== 'object' || message === null || !('signal' in message)) return undefined
  const { signal } = message
  return signal === 'SIGINT' || signal === 'SIGTERM' || signal === 'SIGHUP' || signal === 'SIGQUIT'
    ? signal
    : undefined
}
