import type { Attention, Badges } from '../../../shared/api/overview.ts'
import type { Suggestion } from '../../../shared/api/stats.ts'
import type { Answers } from './http/answers.ts'
import { cleanText } from '../guardrails/control-characters.ts'
import { follow } from './live-events.ts'
import { gatherAttention } from './gather-attention.ts'
import { formatProblem } from '../settings/settings-problem.ts'
import { summaryOf } from './call-summary.ts'
import { launchLine } from './launch-line.ts'
import { DAY_MS, type ScreensOptions } from './screens-options.ts'
import { findSuggestions } from './suggestions.ts'

const RECENT_CALLS = 50
const MONTH_KEPT_MS = 60_000

export function createOverviewAnswers(options: ScreensOptions): Omit<Answers['overview'], 'live'> {
  const { ledger, events, settings, serverStates, approvals, quarantine, logger, now } = options
  const startedAt = now()
  const clean = (text: string): string => logger.cleanText(text)
  const problems = (): string[] =>
    settings.problems.map((problem) => clean(formatProblem(problem, 'config.json')))
  const enabled = (): string[] =>
    Object.entries(settings.current.servers).flatMap(([id, { disabled }]) => (disabled ? [] : [id]))
  const failed = (): string[] => enabled().filter((id) => serverStates.of(id).state === 'failed')
  const waiting = () => approvals.store?.pending().filter(({ deniedAt }) => deniedAt === undefined) ?? []
  const kept = () => quarantine.list().filter(({ releasedAt }) => releasedAt === undefined)

  // Summing a month takes as long as a hundred calls and changes little per minute.
  let month: { readonly at: number; readonly suggestions: Promise<Suggestion[]> } | undefined
  const suggestionsOfMonth = (): Promise<Suggestion[]> => {
    if (month === undefined || now() - month.at >= MONTH_KEPT_MS) {
      const range = { from: now() - 30 * DAY_MS, to: now() + 1 }
      const suggestions = Promise.all([ledger.report(range), ledger.needs(range)]).then(([report, needs]) =>
        findSuggestions(report, needs),
      )
      month = { at: now(), suggestions }
      suggestions.catch(() => (month = undefined))
    }
    return month.suggestions
  }

  const badges = (): Badges => ({
    version: options.version,
    servers: Object.keys(settings.current.servers),
    approvals: waiting().length,
    quarantine: kept().length,
    failedServers: failed().length,
    problems: settings.problems.length,
    sessions: options.sessions(),
    switch: options.mainSwitch.current,
  })

  return {
    get: async ({ days }) => {
      const [report, recent] = await Promise.all([
        ledger.report({ from: now() - days * DAY_MS, to: now() + 1 }),
        ledger.recentCalls(RECENT_CALLS),
      ])
      return {
        version: options.version,
        dataDir: options.dataDir,
        startedAt,
        sessions: options.sessions(),
        problems: problems(),
        servers: Object.entries(settings.current.servers).map(([id, server]) => {
          const { open, failure } = serverStates.of(id)
          return {
            id,
            launch: launchLine(server),
            disabled: server.disabled ?? false,
            open,
            ...(failure === undefined ? {} : { failure: clean(failure) }),
          }
        }),
        totals: report.totals,
        byServer: [...report.byServer],
        byTool: [...report.byTool],
        recent: recent.map((row) => summaryOf(row, clean)),
      }
    },
    attention: async () => {
      const found: Attention[] = []
      const act = (kind: Attention['kind'], title: string, detail: string, about?: Partial<Attention>) =>
        found.push({ kind, urgency: 'act', title, detail, ...about })
      if (approvals.damage !== undefined)
        act('approvals-unreadable', 'Everything is blocked', approvals.damage)
      const [problem, ...others] = settings.problems
      if (problem) {
        const isWhole = settings.problems.some(({ path }) => path === '')
        const parts = others.length === 0 ? 'A part' : `${others.length + 1} parts`
        const more = others.length === 0 ? '' : ` And ${others.length} more.`
        act(
          'settings-problem',
          isWhole
            ? 'config.json can’t be read, so its changes are not in effect'
            : `${parts} of config.json ${others.length === 0 ? 'is' : 'are'} not in effect`,
          `${clean(formatProblem(problem, 'config.json'))}${more}`,
          problem.serverId === undefined || others.length > 0 ? {} : { server: problem.serverId },
        )
      }
      for (const id of failed()) {
        const how = settings.current.servers[id]?.url === undefined ? 'started' : 'reached'
        const failure = clean(serverStates.of(id).failure ?? '')
        act('server-failed', `${id} could not be ${how}`, failure, { server: id })
      }
      for (const [server, changes] of Map.groupBy(waiting(), ({ serverId }) => serverId)) {
        const count = changes.length
        const title = count === 1 ? '1 change waits for you' : `${count} changes wait for you`
        const names = changes.map(({ kind, name }) => `${kind} ${name}`.trim()).slice(0, 5)
        act('approvals-waiting', title, `${server}: ${names.join(', ')}`, { server, count })
      }
      for (const { server, tool, findings } of kept()) {
        const strongest = findings.toSorted((a, b) => b.score - a.score)[0]
        const detail = `${tool} ${cleanText(strongest?.reason ?? '', 'visualise')}`
        act('quarantine', `A result of ${server} was quarantined`, detail, { server, tool })
      }
      for (const { server, tool, net, suggestion } of await suggestionsOfMonth()) {
        found.push({
          kind: 'costs-more-than-it-saves',
          urgency: 'look',
          title: `${server}: ${tool} ${net < 0 ? 'costs more than it saves' : 'is mostly read in full'}`,
          detail: suggestion,
          server,
          tool,
        })
      }
      return gatherAttention(found)
    },
    badges: (_input, { signal }) =>
      follow<Badges>({
        signal,
        first: () => [badges()],
        backlog: 1,
        subscribe: (listener) => events.onAny(SHOWN_IN_BADGES, () => listener(badges())),
      }),
  }
}

const SHOWN_IN_BADGES = [
  'approval-needed',
  'approvals-decided',
  'attack-found',
  'quarantine-changed',
  'server-state',
  'settings-problems',
  'settings-changed',
  'switch-changed',
  'session-opened',
  'session-closed',
] as const
