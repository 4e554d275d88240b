import type { Answers } from './http/answers.ts'
import { createAccessAnswers } from './access.ts'
import { createActivityAnswers } from './activity.ts'
import { createApprovalsAnswers } from './approvals.ts'
import { createBuiltInAnswers } from './built-in.ts'
import { createCacheAnswers } from './cache.ts'
import { createClientsAnswers } from './clients.ts'
import { createDefinitions } from './definitions.ts'
import { createLiveAnswer } from './live.ts'
import { createLogBook } from './log-book.ts'
import { createLogsAnswers } from './logs.ts'
import { createModelsAnswers } from './models.ts'
import { noDesktop } from './no-desktop.ts'
import { createOverviewAnswers } from './overview.ts'
import { createQuarantineAnswers } from './quarantine.ts'
import { createReplayAnswers } from './replay.ts'
import { createResultsAnswers } from './results.ts'
import type { ScreensOptions } from './screens-options.ts'
import { createScreensSessions } from './screens-session.ts'
import { createServerReviews } from './server-reviews.ts'
import { createServersAnswers } from './servers.ts'
import { createSettingsAnswers } from './settings.ts'
import { createStatsAnswers } from './stats.ts'
import { createSwitchAnswers } from './switch.ts'
import { createToolsAnswers } from './tools.ts'

export function createAnswers(options: ScreensOptions): Answers {
  const definitions = createDefinitions(options)
  const sessions = createScreensSessions(options)
  const logs = createLogBook(options)
  const reviews = createServerReviews(options)
  const overview = createOverviewAnswers(options)
  const activity = createActivityAnswers(options)
  const approvals = createApprovalsAnswers(options)
  const servers = createServersAnswers(options, { definitions, sessions, logs, reviews })
  const settings = createSettingsAnswers(options)
  const { logger } = options
  const live = createLiveAnswer({
    activity,
    approvals,
    badges: overview.badges,
    logger,
    servers,
    settings,
  })
  return {
    overview: { ...overview, live },
    stats: createStatsAnswers(options),
    activity,
    results: createResultsAnswers(options),
    replay: createReplayAnswers(options),
    servers,
    tools: createToolsAnswers(options, { definitions, sessions }),
    clients: createClientsAnswers(options, { reviews, definitions }),
    builtIn: createBuiltInAnswers(options),
    approvals,
    quarantine: createQuarantineAnswers(options),
    cache: createCacheAnswers(options),
    settings,
    models: createModelsAnswers(options),
    logs: createLogsAnswers(logs),
    switch: createSwitchAnswers(options),
    desktop: options.desktop ?? noDesktop,
    access: createAccessAnswers(options),
  }
}
