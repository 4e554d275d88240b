import { mostTalkative } from '../../protocol/log-levels.ts'

/** Default level once others have named one, which unrequested messages mostly have. */
const UNNAMED = 'info'

/** Log levels of one process's sessions. The process gets the most verbose. */
export class SharedLogLevels<Member> {
  readonly #levels = new Map<Member, string>()
  #told: string | undefined

  /** The new level for the process, or undefined if unchanged. */
  set(member: Member, level: string): string | undefined {
    this.#levels.set(member, level)
    return this.#news()
  }

  leave(member: Member): string | undefined {
    this.#levels.delete(member)
    return this.#news()
  }

  /** This session's level; undefined if none has named any. */
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
