import { randomBytes } from 'node:crypto'
import type { LookedAtServer, ReviewEvent } from '../../../shared/api/clients.ts'
import { foreignToolsOf, shownFor } from '../approvals/review-offer.ts'
import type { LaunchesById } from '../client-configs/apply-wrap.ts'
import type { ImportableServer } from '../client-configs/import-servers.ts'
import { SluiceError } from '../ground/errors.ts'
import { withPlace } from '../ground/secrets/moved-values.ts'
import { cleanText } from '../guardrails/control-characters.ts'
import { lookAtAll, type LookedAt } from '../servers/look-at-server.ts'
import { scanOfChanges } from './scan-of-changes.ts'
import type { ScreensOptions } from './screens-options.ts'
import { waitingChange } from './waiting-change.ts'

type Offers = Extract<LookedAt, { outcome: 'offers' }>

/** Still confirmable. */
const KEPT = 50
const BY = 'the Sluice window'

export type ReviewedEntry = Extract<ReviewEvent, { kind: 'begun' }>['servers'][number]

export interface ServerReviews {
  look(
    launches: LaunchesById,
    entries: readonly ReviewedEntry[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ReviewEvent, void, void>
  /**
   * For unchanged launches; returns the number of definitions. Throws BAD_INPUT before pinning if a review is
   * unknown.
   */
  pinner(reviews: readonly string[]): (launches: LaunchesById) => number
}

/** Before an app uses them; in memory until confirmed. */
export function createServerReviews(options: ScreensOptions): ServerReviews {
  const { approvals, lookAtServer, logger } = options
  const kept = new Map<string, Map<string, LookedAt>>()
  const scanChange = scanOfChanges(options)
  const describe = async (looked: LookedAt, foreignTools: readonly string[]): Promise<LookedAtServer> => {
    const { serverId, ms, outcome } = looked
    const facts = { serverId, ms, outcome, approved: 0, changes: [], standIns: [], unfit: [] }
    if (looked.outcome === 'failed') {
      return { ...facts, problem: logger.cleanText(cleanText(looked.problem, 'visualise')) }
    }
    if (looked.outcome === 'off') return facts
    const { offered, server, placeholders } = looked
    const foreign = foreignToolsOf(approvals.store, offered, foreignTools)
    const open = offered.changes.filter(({ change }) => change !== 'removed')
    const changes = open.map(async (change) => waitingChange(change, await scanChange(change, foreign)))
    return {
      ...facts,
      introduced: cleanText(`${server.name} ${server.version}`, 'visualise'),
      standIns: placeholders.map(withPlace),
      unfit: offered.unfit.map(({ kind, name, why }) => ({ kind, name: cleanText(name, 'visualise'), why })),
      approved: offered.approved,
      changes: await Promise.all(changes),
    }
  }

  return {
    look: async function* (launches, entries, readerLeft) {
      const review = randomBytes(9).toString('base64url')
      const found = new Map<string, LookedAt>()
      kept.set(review, found)
      for (const oldest of [...kept.keys()].slice(0, -KEPT)) kept.delete(oldest)
      const reported = new Map<string, LookedAtServer>()

      const events: ReviewEvent[] = []
      let wake = (): void => {}
      const tell = (event: ReviewEvent): void => {
        events.push(event)
        wake()
      }
      const tellOf = async (looked: LookedAt, foreignTools: readonly string[]): Promise<void> => {
        const described = await describe(looked, foreignTools)
        if (JSON.stringify(described) === JSON.stringify(reported.get(described.serverId))) return
        reported.set(described.serverId, described)
        tell({ kind: 'looked', looked: described })
      }
      const work = async (): Promise<void> => {
        const telling: Promise<void>[] = []
        const all = await lookAtAll(lookAtServer, launches, {
          signal: readerLeft,
          onStart: (serverId) => tell({ kind: 'starting', serverId }),
          onDone: (looked) => {
            found.set(looked.serverId, looked)
            telling.push(tellOf(looked, []))
          },
        })
        await Promise.all(telling)
        // Only now are all tool names known, which other descriptions must not mention.
        const offers = all.filter((each): each is Offers => each.outcome === 'offers')
        const tools = offers.flatMap(toolsOf)
        for (const each of offers) await tellOf(each, tools)
      }
      let isOver = false
      const running = work().finally(() => {
        isOver = true
        wake()
      })
      running.catch(() => {})
      yield { kind: 'begun', review, servers: [...entries] }
      for (;;) {
        const next = events.shift()
        if (next) yield next
        else if (isOver) break
        else await new Promise<void>((resolve) => (wake = resolve))
      }
      await running
    },
    pinner: (reviews) => {
      const looked = reviews.flatMap((id) => {
        const found = kept.get(id)
        if (found) return [...found.values()]
        throw new SluiceError(
          'BAD_INPUT',
          'What these servers offer was shown before Sluice was restarted, so nothing was changed. Look at it again.',
        )
      })
      const offered = looked.flatMap((each) => (each.outcome === 'offers' ? [each.offered] : []))
      return (launches) =>
        [...launches].reduce((sum, [serverId, { settings }]) => {
          const seen = shownFor(offered, serverId, settings)
          return seen ? sum + approvals.approveCompared(seen, BY) : sum
        }, 0)
    },
  }
}

export const launchesFrom = ({
  servers,
}: {
  readonly servers: readonly Pick<ImportableServer, 'serverId' | 'settings'>[]
}): LaunchesById =>
  new Map(servers.map(({ serverId, settings }) => [serverId, { settings, appVariables: [] }]))

const toolsOf = ({ offered }: Offers): string[] =>
  offered.changes.filter(({ kind }) => kind === 'tool').map(({ name }) => name)
