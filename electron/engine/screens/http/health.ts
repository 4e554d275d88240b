import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '../../ground/logger.ts'
import { processesOf, type ServerStates } from '../../servers/states.ts'
import type { SettingsProblem } from '../../settings/settings-problem.ts'
import type { SettingsStore } from '../../settings/settings-store.ts'
import type { Admits } from './serve-dashboard.ts'
import { sendApiJson } from './send-api-json.ts'

/** Without the token a probe learns only that the port answers. */
const ANSWERS = { status: 'up' }

export interface HealthOptions {
  readonly settings: Pick<SettingsStore, 'current' | 'problems'>
  readonly serverStates: Pick<ServerStates, 'of'>
  readonly formatProblem: (problem: SettingsProblem, file: string) => string
  readonly admits: Admits
  readonly logger: Pick<Logger, 'error'> & { cleanText(text: string): string }
}

/**
 * Availability for everyone; identity, state, failing servers and reasons with the token or an admitted page. Idle
 * servers are healthy; those that died or failed to start aren't.
 */
export function createHealth({ settings, serverStates, formatProblem, admits, logger }: HealthOptions) {
  return function health(request: IncomingMessage, response: ServerResponse): void {
    if (!admits(request)) return sendApiJson(response, 200, ANSWERS)
    const servers = Object.entries(settings.current.servers).map(([id, server]) => {
      const { state, since, open, connections, failure, retryAt } = serverStates.of(id)
      const pids = processesOf(connections)
      return {
        id,
        state: server.disabled ? 'disabled' : state,
        open,
        ...(pids.length === 0 ? {} : { pids }),
        ...(since === undefined ? {} : { since }),
        ...(retryAt === undefined ? {} : { retryAt }),
        ...(failure === undefined ? {} : { failure: logger.cleanText(failure) }),
      }
    })
    const ok = settings.problems.length === 0 && servers.every(({ state }) => state !== 'failed')
    const problems = settings.problems.map((problem) =>
      logger.cleanText(formatProblem(problem, 'config.json')),
    )
    sendApiJson(response, 200, { name: 'sluice', ok, status: ok ? 'ok' : 'degraded', problems, servers })
  }
}
