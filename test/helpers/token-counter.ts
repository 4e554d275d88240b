import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'
import { measureTokens } from '../../electron/engine/text/tokens/measure-tokens.ts'
import type { TokenCounter } from '../../electron/engine/results/explore/token-counter.ts'

/** As in the engine's worker. */
export const tokenCounter: TokenCounter = { count: countTokens, measure: measureTokens }
