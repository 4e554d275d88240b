import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The client that current work is for: clients take turns for shared resources such as workers. Carried by the
 * runtime, because any layer may start a job.
 */
const current = new AsyncLocalStorage<string>()

export const inTurnOf = <Value>(client: string, work: () => Value): Value => current.run(client, work)

/** The client; '' for none. */
export const whoseTurn = (): string => current.getStore() ?? ''
