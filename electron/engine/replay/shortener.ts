import type { FormatHint } from '../text/readers/reading.ts'

/** Input of a shortener. */
interface ToShorten {
  readonly text: string
  /** o200k_base. */
  readonly tokens: number
  readonly budget: number
  readonly goal: string | undefined
  /** The user's. */
  readonly request?: string | undefined
  readonly hint: FormatHint | undefined
  readonly tool: string
  readonly command: string
  /** From the policy: 'preview'. */
  readonly strategy: string | undefined
}

export interface Shortened {
  readonly text: string
  readonly tokens: number
  readonly kind?: string | undefined
  /** Of Sluice. */
  readonly strategy?: string | undefined
}

/** One way to shorten a result. A replay's first is Sluice's; the others are baselines. */
export interface Shortener {
  readonly name: string
  /** Undefined: it leaves the result as it is. `own`: what Sluice makes of it. */
  shorten(input: ToShorten, own: Shortened | undefined): Shortened | undefined
}
