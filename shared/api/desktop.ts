import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { get, Nothing, patch, post } from './routes.ts'

export const Theme = z.enum(['auto', 'light', 'dark'])
export type Theme = z.infer<typeof Theme>

export const NoticeKind = z.enum(['changes', 'quarantine', 'failures', 'downloads', 'budgets'])
export type NoticeKind = z.infer<typeof NoticeKind>

/** Outside config.json. */
export const DesktopChoices = z.object({
  /** auto follows the system. */
  theme: Theme,
  startAtLogin: z.boolean(),
  notices: z.record(NoticeKind, z.boolean()),
  /** notify: a click opens the approval window. open: it opens by itself. */
  approvals: z.enum(['notify', 'open']),
  /** No effect without a feed. */
  updates: z.boolean(),
})
export type DesktopChoices = z.infer<typeof DesktopChoices>

/** Starts a missing Sluice. */
export const LostLauncher = z.object({
  client: z.string(),
  label: z.string(),
  path: z.string(),
  servers: z.array(z.string()),
  /** First missing program or script. */
  missing: z.string(),
})
export type LostLauncher = z.infer<typeof LostLauncher>

export const UpdateState = z.object({
  state: z.enum(['no-feed', 'off', 'current', 'checking', 'downloading', 'ready', 'failed']),
  version: z.string().optional(),
  detail: z.string().optional(),
})
export type UpdateState = z.infer<typeof UpdateState>

export const DesktopState = z.object({
  choices: DesktopChoices,
  /** Undefined: available. */
  noLogin: z.string().optional(),
  /** Why it won't start at login although chosen, and what to do. */
  loginRemark: z.string().optional(),
  update: UpdateState,
  lostLaunchers: z.array(LostLauncher),
})
export type DesktopState = z.infer<typeof DesktopState>

/** In the desktop window only; elsewhere each procedure reports its absence. */
export const desktopContract = {
  live: get('/desktop/live', 'State of the desktop app, now and at each change').output(
    eventIterator(DesktopState),
  ),
  choose: patch('/desktop', 'Change some of its choices')
    .input(DesktopChoices.partial())
    .output(DesktopState),
  repairLaunchers: post('/desktop/launchers', 'Let AI apps start this Sluice in place of one that is gone')
    .input(z.object({ paths: z.array(z.string()).min(1).max(1000) }))
    .output(z.object({ repaired: z.array(z.string()) })),
  installUpdate: post('/desktop/update', 'End Sluice and start the downloaded version').output(Nothing),
  done: post('/desktop/done', 'The small window that asked is not needed any more').output(Nothing),
}
