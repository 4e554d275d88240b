import { inTurnOf } from '../work/whose-turn.ts'
import type { Interceptor } from './call.ts'

/** Whatever the layers inside ask of the worker threads is done for the client of the call. */
export const inTurn: Interceptor = (next) => (call) => inTurnOf(call.clientName, () => next(call))
