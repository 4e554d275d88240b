import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Clients take turns for shared resources such as workers. Carried by the runtime, because any layer may start a job.
 */
const current = new AsyncLocalStorage<string>()

export const inTurnOf = <Value>(client: string, work: () => Value): Value => current.run(client, work)

/** Client; '' for none. */
export const clientInTurn = (): string => current.getStore() ?? ''
