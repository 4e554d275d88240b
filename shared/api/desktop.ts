import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'

export const Theme = z.enum(['auto', 'light', 'dark'])
export type Theme = z.infer<typeof Theme>

/** What the system's notifications may be about. */
export const NoticeKind = z.enum(['changes', 'quarantine', 'failures', 'downloads'])
export type NoticeKind = z.infer<typeof NoticeKind>

/** Choices that belong to this machine's desktop and not to config.json. */
export const DesktopChoices = z.object({
  /** Of the window's frame and the page alike; auto follows the system. */
  theme: Theme,
  startAtLogin: z.boolean(),
  notices: z.record(NoticeKind, z.boolean()),
  /** notify: a click on the notification opens the approval window. open: it comes to the front by itself. */
  approvals: z.enum(['notify', 'open']),
  /** Whether newer versions are looked for; without effect where no feed is configured. */
  updates: z.boolean(),
})
export type DesktopChoices = z.infer<typeof DesktopChoices>

/** An entry of an AI app's configuration that starts a Sluice which is not there any more. */
export const LostLauncher = z.object({
  client: z.string(),
  label: z.string(),
  path: z.string(),
  servers: z.array(z.string()),
  /** What is missing. */
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
  /** Why starting at login can't be chosen here. */
  noLogin: z.string().optional(),
  update: UpdateState,
  lostLaunchers: z.array(LostLauncher),
})
export type DesktopState = z.infer<typeof DesktopState>

/** Only in the desktop app's window; elsewhere every one of these says that there is none. */
export const desktopContract = {
  live: oc
    .route({
      method: 'GET',
      path: '/desktop/live',
      summary: 'State of the desktop app, now and at each change',
    })
    .output(eventIterator(DesktopState)),
  choose: oc
    .route({ method: 'PATCH', path: '/desktop', summary: 'Change some of its choices' })
    .input(DesktopChoices.partial())
    .output(DesktopState),
  mendLaunchers: oc
    .route({
      method: 'POST',
      path: '/desktop/launchers',
      summary: 'Let AI apps start this Sluice in place of one that is gone',
    })
    .input(z.object({ paths: z.array(z.string()).min(1).max(1000) }))
    .output(z.object({ mended: z.array(z.string()) })),
  installUpdate: oc
    .route({
      method: 'POST',
      path: '/desktop/update',
      summary: 'End Sluice and start the downloaded version',
    })
    .output(z.object({})),
  done: oc
    .route({
      method: 'POST',
      path: '/desktop/done',
      summary: 'The small window that asked is not needed any more',
    })
    .output(z.object({})),
}
