import { inTurnOf } from '../work/whose-turn.ts'
import type { Interceptor } from './call.ts'

/** Worker jobs of the inner layers count for the call's client. */
export const inTurn: Interceptor = (next) => (call) => inTurnOf(call.clientName, () => next(call))
