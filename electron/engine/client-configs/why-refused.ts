import { ServerSettings } from '../../../shared/settings.ts'

/** Why config.json would refuse this server, as it would say it. */
export function whyRefused(settings: ServerSettings): string | undefined {
  const issue = ServerSettings.safeParse(settings).error?.issues[0]
  if (!issue) return undefined
  const [field] = issue.path
  const { message } = issue
  return field === undefined
    ? message
    : `its ${String(field)} ${message.charAt(0).toLowerCase()}${message.slice(1)}`
}
