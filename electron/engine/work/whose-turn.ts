import { AsyncLocalStorage } from 'node:async_hooks'
import type { Interceptor } from '../message/call.ts'

/**
 * For whom work is done, as long as it is done: the clients take turns where it waits for something that all of them share,
 * such as a worker thread. It is carried along by the runtime because a job may be asked for by any layer of a call.
 */
const current = new AsyncLocalStorage<string>()

export const inTurnOf = <Value>(client: string, work: () => Value): Value => current.run(client, work)

/** The client; '' for work that is nobody's. */
export const whoseTurn = (): string => current.getStore() ?? ''

/** Whatever the layers inside ask of the worker threads is done for the client of the call. */
export const inTurn: Interceptor = (next) => (call) => inTurnOf(call.clientName, () => next(call))
