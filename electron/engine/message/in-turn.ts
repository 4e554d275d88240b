import { inTurnOf } from '../work/client-turns.ts'
import type { Interceptor } from './call.ts'

/** Inner layers' worker jobs count for the call's client. */
export const inTurn: Interceptor = (next) => (call) => inTurnOf(call.clientName, () => next(call))
