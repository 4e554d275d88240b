import type { Strategy } from '../strategy.ts'
import { firstTokens } from '../../text/tokens/first-tokens.ts'
import { measureTokens } from '../../text/tokens/measure-tokens.ts'

/** The beginning of a text: the fallback for all kinds. */
export const previewStrategy: Strategy = {
  name: 'preview',
  kinds: ['binary'],
  compress({ text, budget }) {
    const whole = firstTokens(text, budget)
    if (whole.length === text.length) return { text, omitted: undefined, lossless: true }
    const shown = firstTokens(text, budget - RESERVE)
    if (shown === '') return undefined
    const left = measureTokens(text.slice(shown.length))
    return { text: `${shown}…`, omitted: `about ${left} tokens after this` }
  },
}

/** Tokens reserved for gap mark and omissions. */
const RESERVE = 10
