import { mostTalkative } from '../../protocol/log-levels.ts'

/** What somebody hears who named no level, once others have: what servers tell unasked is mostly this. */
const UNNAMED = 'info'

/** The log levels that the sessions of one process asked for. The process gets the most talkative of them. */
export class SharedLogLevels<Member> {
  readonly #levels = new Map<Member, string>()
  #told: string | undefined

  /** Returns the level that the process has to be told now; undefined where it knows. */
  set(member: Member, level: string): string | undefined {
    this.#levels.set(member, level)
    return this.#news()
  }

  leave(member: Member): string | undefined {
    this.#levels.delete(member)
    return this.#news()
  }

  /** The least level that this session hears; undefined where nobody has named any. */
  of(member: Member): string | undefined {
    return this.#levels.get(member) ?? (this.#told === undefined ? undefined : UNNAMED)
  }

  #news(): string | undefined {
    const wanted = mostTalkative(this.#levels.values())
    if (wanted === undefined || wanted === this.#told) return undefined
    this.#told = wanted
    return wanted
  }
}
