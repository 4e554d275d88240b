import { SECRET_MARK } from '../../../shared/api/settings.ts'
import { HIDDEN, hideInArgs, hideInUrl } from '../ground/secrets/hide-secrets.ts'
import type { LaunchSummary } from '../client-configs/launch-summary.ts'

/** Without secrets. */
export function launchLine(launch: Pick<LaunchSummary, 'command' | 'args' | 'url'>): string {
  const line =
    launch.command === undefined
      ? hideInUrl(launch.url ?? '')
      : [launch.command, ...hideInArgs(launch.args ?? [], launch.command)].join(' ')
  return line.replaceAll(HIDDEN, SECRET_MARK)
}
