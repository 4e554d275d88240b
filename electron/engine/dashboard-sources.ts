import type { CallSummary, Overview, ServerSummary } from '../../shared/api/overview.ts'
import type { ServerSettings } from '../../shared/settings.ts'
import type { DashboardSources } from './dashboard/router.ts'
import type { Events } from './events.ts'
import type { CallRow, Ledger } from './ledger/ledger.ts'
import type { ServerStates } from './server-states.ts'
import { formatProblem } from './settings/settings-problem.ts'
import type { SettingsStore } from './settings/settings-store.ts'

const DAY_MS = 24 * 3600_000
const RECENT_CALLS = 50

/** What the screens show, read from the engine's parts. */
export function createDashboardSources(options: {
  version: string
  dataDir: string
  now: () => number
  ledger: Ledger
  events: Events
  settings: SettingsStore
  serverStates: ServerStates
  sessions: () => number
}): DashboardSources {
  const { ledger, events, settings, serverStates, now } = options
  const startedAt = now()
  return {
    overview: async (days): Promise<Overview> => {
      const [report, recent] = await Promise.all([
        ledger.report({ from: now() - days * DAY_MS, to: now() + 1 }),
        ledger.recentCalls(RECENT_CALLS),
      ])
      return {
        version: options.version,
        dataDir: options.dataDir,
        startedAt,
        sessions: options.sessions(),
        problems: settings.problems.map((problem) => formatProblem(problem, 'config.json')),
        servers: Object.entries(settings.current.servers).map(([id, server]): ServerSummary => {
          const { open, failure } = serverStates.of(id)
          return {
            id,
            launch: launchOf(server),
            disabled: server.disabled ?? false,
            open,
            ...(failure === undefined ? {} : { failure }),
          }
        }),
        totals: report.totals,
        byServer: [...report.byServer],
        byTool: [...report.byTool],
        recent: recent.map(summaryOf),
      }
    },
    onCall: (listener) => events.on('call-recorded', (row) => listener(summaryOf(row))),
  }
}

/** Command and arguments, or the address without its query, where keys are often put. */
function launchOf(server: ServerSettings): string {
  if (server.command !== undefined) return [server.command, ...(server.args ?? [])].join(' ')
  return server.url?.replace(/\?.*$/, '?…') ?? ''
}

const summaryOf = (row: CallRow): CallSummary => ({
  id: row.id,
  at: row.at,
  client: row.client,
  server: row.server,
  tool: row.tool,
  outcome: row.outcome,
  tokensBefore: row.tokensBefore,
  tokensAfter: row.tokensAfter,
  ms: row.ms,
  cached: row.cached,
  ...(row.strategy === undefined ? {} : { strategy: row.strategy }),
  ...(row.resultId === undefined ? {} : { resultId: row.resultId }),
  ...(row.note === undefined ? {} : { note: row.note }),
})
