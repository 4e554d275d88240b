import { accessContract } from './access.ts'
import { activityContract } from './activity.ts'
import { approvalsContract } from './approvals.ts'
import { builtInContract } from './built-in.ts'
import { cacheContract } from './cache.ts'
import { clientsContract } from './clients.ts'
import { desktopContract } from './desktop.ts'
import { logsContract } from './logs.ts'
import { modelsContract } from './models.ts'
import { overviewContract } from './overview.ts'
import { quarantineContract } from './quarantine.ts'
import { replayContract } from './replay.ts'
import { resultsContract } from './results.ts'
import { serversContract } from './servers.ts'
import { settingsContract } from './settings.ts'
import { statsContract } from './stats.ts'
import { switchContract } from './switch.ts'
import { toolsContract } from './tools.ts'

export const contract = {
  overview: overviewContract,
  stats: statsContract,
  activity: activityContract,
  results: resultsContract,
  replay: replayContract,
  servers: serversContract,
  tools: toolsContract,
  clients: clientsContract,
  builtIn: builtInContract,
  approvals: approvalsContract,
  quarantine: quarantineContract,
  cache: cacheContract,
  settings: settingsContract,
  models: modelsContract,
  logs: logsContract,
  switch: switchContract,
  desktop: desktopContract,
  access: accessContract,
}
