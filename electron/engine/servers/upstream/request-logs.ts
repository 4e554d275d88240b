import { MetaKey } from '../../protocol/era.ts'
import { metaOf } from '../../protocol/era-bridge.ts'
import { isLogLevel, mostTalkative } from '../../protocol/log-levels.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { UpstreamLink, UpstreamRequestOptions } from '../../protocol/link.ts'
import { withinTime } from './within-time.ts'

const LOG = 'notifications/message'
/** Of calls, by a server that doesn't answer logging/setLevel. */
const LEVEL_MS = 1_000

/**
 * 2026-07-28 requests log messages per request; over pipes messages have no request, and a 2025 server has one level.
 * So its log goes to each running request that asked, whose relay knows the level.
 */
export class RequestLogs {
  readonly #listening = new Set<NonNullable<UpstreamRequestOptions['onRelated']>>()
  #level: string | undefined

  /** True for a wanted log message. */
  hear(method: string, params: JsonObject | undefined): boolean {
    if (method !== LOG || this.#listening.size === 0) return false
    for (const onRelated of this.#listening) onRelated(method, params)
    return true
  }

  around(link: UpstreamLink): UpstreamLink {
    return {
      ...link,
      request: async (method, params, options) => {
        const level = metaOf(params)[MetaKey.logLevel]
        const onRelated = options?.onRelated
        if (!onRelated || typeof level !== 'string') return link.request(method, params, options)
        await this.#tell(link, level)
        this.#listening.add(onRelated)
        try {
          return await link.request(method, params, options)
        } finally {
          this.#listening.delete(onRelated)
        }
      },
    }
  }

  async #tell(link: UpstreamLink, wanted: string): Promise<void> {
    const level = isLogLevel(wanted)
      ? mostTalkative([wanted, ...(this.#level ? [this.#level] : [])])
      : undefined
    if (level === undefined || level === this.#level || !takesLevels(link)) return
    this.#level = level
    const answered = link.request('logging/setLevel', { level })
    await withinTime(answered, LEVEL_MS, 'It was not told in time.').catch(() => {})
  }
}

const takesLevels = ({ hello }: UpstreamLink): boolean =>
  hello.era === 'legacy' && hello.capabilities['logging'] !== undefined
