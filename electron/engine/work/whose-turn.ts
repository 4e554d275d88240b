import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * For whom work is done, as long as it is done: the clients take turns where it waits for something that all of them share,
 * such as a worker thread. It is carried along by the runtime because a job may be asked for by any layer of a call.
 */
const current = new AsyncLocalStorage<string>()

export const inTurnOf = <Value>(client: string, work: () => Value): Value => current.run(client, work)

/** The client; '' for work that is nobody's. */
export const whoseTurn = (): string => current.getStore() ?? ''
