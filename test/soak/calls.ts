import type { Random } from './random.ts'
import type { Repertoire } from './stage.ts'

/** A call and its required answer. */
export interface PlannedCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** Whether this text answers this very call. */
  fits(text: string): boolean
}

const LIKELY = {
  echo: 60,
  slow: 8,
  huge: 6,
  garbage: 3,
  twice: 3,
  foreign: 3,
  'bad-bytes': 3,
  noisy: 2,
  flood: 1,
  never: 1,
  crash: 1,
}

/** Draws a call. `token` is unique to it, so that another call's answer is noticed. */
export function planCall(repertoire: Repertoire, token: string, random: Random): PlannedCall {
  const plan = (tool: string, args: PlannedCall['args'], fits: PlannedCall['fits']): PlannedCall => ({
    tool,
    args,
    fits,
  })
  const says = (expected: string) => (text: string) => text === expected
  const echo = plan('echo', { text: token }, says(token))
  if (repertoire === 'features') return echo
  const kind = random.weighted(LIKELY)
  switch (kind) {
    case 'echo':
      return echo
    case 'slow':
      return plan(kind, { ms: random.between(50, 3000) }, says('done'))
    case 'huge':
      return plan(kind, { bytes: random.between(10_000, 300_000) }, (text) => text.includes('xxx'))
    case 'garbage':
      return plan(kind, {}, says('after the garbage'))
    case 'twice':
      return plan(kind, {}, says('first'))
    case 'foreign':
      return plan(kind, {}, says('yours'))
    case 'bad-bytes':
      return plan(kind, {}, (text) => text.startsWith('a') && text.endsWith('b'))
    case 'noisy':
      return plan(kind, { bytes: random.between(10_000, 500_000) }, says('was noisy'))
    case 'flood':
      return plan(kind, { count: random.between(2000, 10_000) }, says('flooded'))
    case 'never':
    case 'crash':
      // Answered with an error.
      return plan(kind, {}, () => false)
    default:
      throw kind satisfies never
  }
}
