import type { ClientApp } from '../../../shared/api/clients.ts'
import type { Events } from '../ground/events.ts'
import type { Logger } from '../ground/logger.ts'
import type { CallRow } from '../ledger/call-row.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { DeliveredEvent } from './hook-event.ts'

declare module '../ground/events.ts' {
  interface EngineEvents {
    /** The app drops what a hook answers, so its tool is left alone. */
    'built-in-tool-off': { app: string; tool: string; why: string }
  }
}

export type ToolState = { readonly app: string } & NonNullable<ClientApp['builtIn']>['seen'][number]

export interface GivenText {
  readonly app: string
  readonly session: string
  readonly tool: string
  readonly callId: string
  /** Id of its row in the ledger. */
  readonly id: string
  readonly text: string
  readonly original: string
}

export type Delivery = ReturnType<typeof createDelivery>

const DROPS_IN_A_ROW = 2
/** Answers whose delivery isn't known yet. */
const MOST_OPEN = 500
/** Characters that tell two texts apart. */
const PROBE = 200

/** Compares what was answered with what the model sees. */
export function createDelivery({
  ledger,
  events,
  logger,
}: {
  readonly ledger: Pick<Ledger, 'correctCall'>
  readonly events: Events
  readonly logger: Logger
}) {
  const open = new Map<string, GivenText>()
  const rows = new Map<string, CallRow>()
  const tools = new Map<string, ToolState & { readonly inARow: number }>()
  const keyOf = (app: string, session: string, callId: string): string => `${app}\n${session}\n${callId}`
  const stateOf = (app: string, tool: string) =>
    tools.get(`${app}\n${tool}`) ??
    ({ app, tool, answered: 0, delivered: 0, dropped: 0, lost: 0, isOff: false, inARow: 0 } as const)
  const change = (
    of: Pick<GivenText, 'app' | 'tool'>,
    changed: Partial<ToolState & { inARow: number }>,
  ): void => void tools.set(`${of.app}\n${of.tool}`, { ...stateOf(of.app, of.tool), ...changed })

  const ids = new Set<string>()
  /** Of calls whose row isn't written yet. */
  const missed = new Map<string, string>()
  events.on('call-recorded', (row) => {
    const why = missed.get(row.id)
    if (why !== undefined) correct(row, why)
    else if (ids.has(row.id)) rows.set(row.id, row)
  })
  const correct = (row: CallRow, why: string): void => {
    missed.delete(row.id)
    if (row.tokensAfter === row.tokensBefore) return
    ledger.correctCall({ ...row, tokensAfter: row.tokensBefore, strategy: undefined, note: why })
  }
  const notDelivered = (id: string, why: string): void => {
    const row = rows.get(id)
    if (row) return correct(row, why)
    missed.set(id, why)
    const [oldest] = missed.keys()
    if (missed.size > MOST_OPEN && oldest !== undefined) missed.delete(oldest)
  }
  const forget = (key: string): void => {
    const text = open.get(key)
    open.delete(key)
    if (!text) return
    ids.delete(text.id)
    rows.delete(text.id)
  }

  return {
    isOff: (app: string, tool: string): boolean => stateOf(app, tool).isOff,
    given: (text: GivenText): void => {
      const { app, tool } = text
      change(text, { answered: stateOf(app, tool).answered + 1 })
      open.set(keyOf(app, text.session, text.callId), text)
      ids.add(text.id)
      const [oldest] = open.keys()
      if (open.size > MOST_OPEN && oldest !== undefined) forget(oldest)
    },
    /** The model got the tool's own output. */
    missed: notDelivered,
    seen: (app: string, { session, calls }: DeliveredEvent): void => {
      for (const { callId, seen } of calls) {
        const key = keyOf(app, session, callId)
        const given = open.get(key)
        if (!given) continue
        const state = stateOf(app, given.tool)
        if (holds(seen, given.text)) {
          change(given, { delivered: state.delivered + 1, inARow: 0 })
        } else if (holds(seen, given.original)) {
          const inARow = state.inARow + 1
          const isOff = inARow >= DROPS_IN_A_ROW
          notDelivered(given.id, 'the app did not take the shortened form')
          change(given, { dropped: state.dropped + 1, inARow, isOff })
          if (isOff && !state.isOff) {
            const why = `${app} used its own output ${inARow} times in a row instead of the one that Sluice answered`
            logger.warn("An app's tool is left alone until Sluice starts again.", {
              app,
              tool: given.tool,
              why,
            })
            events.emit('built-in-tool-off', { app, tool: given.tool, why })
          }
        } else {
          notDelivered(given.id, "another product's hook replaced the shortened form")
          change(given, { lost: state.lost + 1, inARow: 0 })
        }
        forget(key)
      }
    },
    switchOn: (app: string, tool: string): void => {
      if (!stateOf(app, tool).isOff) return
      change({ app, tool }, { isOff: false, inARow: 0 })
    },
    states: (): readonly ToolState[] =>
      [...tools.values()].map(({ app, tool, answered, delivered, dropped, lost, isOff }) => ({
        app,
        tool,
        answered,
        delivered,
        dropped,
        lost,
        isOff,
      })),
  }
}

/** As it is, or in the JSON of a whole object. */
function holds(seen: string, text: string): boolean {
  const probe = text.slice(0, PROBE)
  return seen.includes(probe) || seen.includes(JSON.stringify(probe).slice(1, -1))
}
