import { mostTalkative } from '../../protocol/log-levels.ts'

/** Default once others have named a level; unrequested messages mostly have it. */
const UNNAMED = 'info'

/** The process gets the sessions' most verbose level. */
export class SharedLogLevels<Member> {
  readonly #levels = new Map<Member, string>()
  #requested: string | undefined

  set(member: Member, level: string): string | undefined {
    this.#levels.set(member, level)
    return this.#news()
  }

  leave(member: Member): string | undefined {
    this.#levels.delete(member)
    return this.#news()
  }

  of(member: Member): string | undefined {
    return this.#levels.get(member) ?? (this.#requested === undefined ? undefined : UNNAMED)
  }

  #news(): string | undefined {
    const wanted = mostTalkative(this.#levels.values())
    if (wanted === undefined || wanted === this.#requested) return undefined
    this.#requested = wanted
    return wanted
  }
}
