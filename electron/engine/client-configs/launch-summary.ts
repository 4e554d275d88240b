import type { Launch } from './entries/read-entry.ts'
import { decidesLaunch } from '../ground/secrets/launch-variables.ts'
import { hideInArgs, hideInUrl } from '../ground/secrets/hide-secrets.ts'

/** For people: names of variables and headers only, except variables that decide what is started. */
export interface LaunchSummary {
  readonly command?: string
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly url?: string
  readonly env: readonly string[]
  readonly headers: readonly string[]
}

export const summariseLaunch = ({ command, args, cwd, url, env, headers }: Launch): LaunchSummary => ({
  ...(command === undefined ? {} : { command, args: hideInArgs(args ?? [], command) }),
  ...(cwd === undefined ? {} : { cwd }),
  ...(url === undefined ? {} : { url: hideInUrl(url) }),
  env: Object.entries(env ?? {}).map(([name, value]) =>
    decidesLaunch(name, value) ? `${name}=${hideInUrl(value)}` : name,
  ),
  headers: Object.keys(headers ?? {}),
})
