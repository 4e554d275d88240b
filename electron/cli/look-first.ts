import { foreignToolsOf, shownFor } from '../engine/approvals/review-offer.ts'
import type { LaunchesById } from '../engine/client-configs/apply-wrap.ts'
import { SluiceError } from '../engine/ground/errors.ts'
import { withPlace } from '../engine/ground/secrets/moved-values.ts'
import { cleanText } from '../engine/guardrails/control-characters.ts'
import { lookAtAll, type LookedAt } from '../engine/servers/look-at-server.ts'
import type { ChangeFinding } from '../engine/guardrails/scan-change.ts'
import { scanOfChanges } from '../engine/screens/scan-of-changes.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'
import { createEngineLogger } from './create-logger.ts'
import { engineOptions } from './engine-options.ts'
import { formatChange } from './format-change.ts'
import { formatTable } from './format-table.ts'
import { reviewedChange, type ReviewedChange } from './reviewed-change.ts'

export interface LookedAtServers {
  readonly looked: readonly LookedAt[]
  /** By server id. */
  readonly changes: ReadonlyMap<string, readonly ReviewedChange[]>
}

/** Before an app starts servers through Sluice; pins what its user approves. */
export interface FirstLook {
  look(launches: LaunchesById): Promise<LookedAtServers>
  /** For servers with unchanged launch. */
  pin(seen: LookedAtServers, launches: LaunchesById, by: string): void
  close(): Promise<void>
}

export async function openFirstLook(context: CliContext, common: CommonOptions): Promise<FirstLook> {
  const logger = createEngineLogger(context, common, 'error')
  const { createEngine } = await import('../engine/engine.ts')
  const options = engineOptions(context, common, logger)
  const engine = await createEngine({ ...options, watchSettings: false })
  const { stdout } = context
  const scanChange = scanOfChanges({ ...options, settings: engine.settings })
  return {
    look: async (launches) => {
      const started = [...launches].flatMap(([id, { settings }]) => (settings.disabled ? [] : [id]))
      if (started.length > 0)
        stdout.write(`\nStarting ${started.join(', ')} once, to see what is offered …\n`)
      const looked = await lookAtAll(engine.lookAtServer, launches, {
        onDone: (each) => stdout.write(`  ${progressLine(each)}\n`),
      })
      const offers = looked.filter((each) => each.outcome === 'offers')
      const changes = new Map<string, readonly ReviewedChange[]>()
      for (const { serverId, offered } of offers) {
        const others = offers.filter((other) => other.serverId !== serverId).flatMap(toolsOf)
        const foreign = foreignToolsOf(engine.approvals.store, offered, others)
        const open = offered.changes.filter(({ change }) => change !== 'removed')
        changes.set(
          serverId,
          await Promise.all(open.map((change) => reviewedChange(change, scanChange, foreign))),
        )
      }
      return { looked, changes }
    },
    pin: ({ looked }, launches, by) => {
      const offered = looked.flatMap((each) => (each.outcome === 'offers' ? [each.offered] : []))
      for (const [serverId, { settings }] of launches) {
        const seen = shownFor(offered, serverId, settings)
        if (seen) engine.approvals.approveCompared(seen, by)
      }
    },
    close: async () => {
      await engine.close()
      logger.close()
    },
  }
}

const toolsOf = (looked: Extract<LookedAt, { outcome: 'offers' }>): string[] =>
  looked.offered.changes.filter(({ kind }) => kind === 'tool').map(({ name }) => name)

function progressLine(looked: LookedAt): string {
  if (looked.outcome === 'off') return `${looked.serverId} is disabled, so it is not started.`
  if (looked.outcome === 'failed')
    return `${looked.serverId} failed: ${cleanText(looked.problem, 'visualise')}`
  const took = `${looked.serverId} answered after ${(looked.ms / 1000).toFixed(1)} s`
  if (looked.placeholders.length === 0) return `${took}.`
  return `${took}, with placeholders for ${looked.placeholders.map(withPlace).join(', ')}, whose values are not known here.`
}

export function formatOffers({ looked, changes }: LookedAtServers): string {
  const all = [...changes.values()].flat().map((change) => formatChange(change))
  const table = formatTable(looked, [
    { title: 'server', value: ({ serverId }) => serverId },
    { title: 'offers', value: (each) => (each.outcome === 'offers' ? offerOf(each) : each.outcome) },
    { title: 'to approve', value: ({ serverId }) => toApprove(changes.get(serverId) ?? []) },
    { title: 'findings', value: ({ serverId }) => findingsOf(changes.get(serverId) ?? []).length },
  ])
  return ['', ...all, table].join('\n')
}

function offerOf({ offered, server }: Extract<LookedAt, { outcome: 'offers' }>): string {
  const count = offered.approved + offered.changes.filter(({ change }) => change !== 'removed').length
  return `${count} definitions, by ${server.name} ${server.version}`
}

const toApprove = (changes: readonly ReviewedChange[]): string => {
  const denied = changes.filter((change) => change.denied).length
  return `${changes.length - denied}${denied === 0 ? '' : ` (and ${denied} denied before: blocked)`}`
}

const findingsOf = (changes: readonly ReviewedChange[]): ChangeFinding[] =>
  changes.flatMap(({ findings }) => [...findings])

/** Servers that don't start must not be wrapped. */
export function stopAt(failed: readonly LookedAt[]): never {
  const names = failed.map(({ serverId }) => serverId).join(', ')
  throw new SluiceError(
    'SERVER_UNAVAILABLE',
    `Nothing was changed: ${names} did not start. Fix that first, or choose --if-failing skip or --if-failing anyway.`,
  )
}
