import type { Answers } from '../dashboard/answers.ts'
import { createActivityAnswers } from './activity.ts'
import { createApprovalsAnswers } from './approvals.ts'
import { createClientsAnswers } from './clients.ts'
import { createDefinitions } from './definitions.ts'
import { createLogBook } from './log-book.ts'
import { createLogsAnswers } from './logs.ts'
import { createModelsAnswers } from './models.ts'
import { noDesktop } from './no-desktop.ts'
import { createOverviewAnswers } from './overview.ts'
import { createQuarantineAnswers } from './quarantine.ts'
import { createResultsAnswers } from './results.ts'
import type { ScreensOptions } from './screens-options.ts'
import { createScreensSessions } from './screens-session.ts'
import { createServersAnswers } from './servers.ts'
import { createSettingsAnswers } from './settings.ts'
import { createStatsAnswers } from './stats.ts'
import { createSwitchAnswers } from './switch.ts'
import { createToolsAnswers } from './tools.ts'

/** What the engine answers to its screens, for every procedure of shared/api. */
export function createAnswers(options: ScreensOptions): Answers {
  const definitions = createDefinitions(options)
  const sessions = createScreensSessions(options)
  const logs = createLogBook(options)
  return {
    overview: createOverviewAnswers(options),
    stats: createStatsAnswers(options),
    activity: createActivityAnswers(options),
    results: createResultsAnswers(options),
    servers: createServersAnswers(options, { definitions, sessions, logs }),
    tools: createToolsAnswers(options, { definitions, sessions }),
    clients: createClientsAnswers(options),
    approvals: createApprovalsAnswers(options),
    quarantine: createQuarantineAnswers(options),
    settings: createSettingsAnswers(options),
    models: createModelsAnswers(options),
    logs: createLogsAnswers(logs),
    switch: createSwitchAnswers(options),
    desktop: options.desktop ?? noDesktop,
  }
}
