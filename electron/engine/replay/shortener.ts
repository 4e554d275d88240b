import type { FormatHint } from '../text/readers/reading.ts'

/** What a strategy of the replay is asked. */
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

/** The first of a replay is Sluice's own; the others are what it is compared with. */
export interface Shortener {
  readonly name: string
  /** Undefined: it leaves the result as it is. `own`: what Sluice makes of it. */
  shorten(input: ToShorten, own: Shortened | undefined): Shortened | undefined
}
