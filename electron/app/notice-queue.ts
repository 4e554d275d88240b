import type { NoticeKind } from '../../shared/api/desktop.ts'

/** Target of a click on a notification: a route of the main window, or the review window of a server. */
export type NoticeTarget = { readonly route: string } | { readonly review: string }

/** A notification for the user while no window is in front. */
export interface Notice {
  readonly kind: NoticeKind
  /** Its subject, such as a server id. A newer notice replaces an older one with the same subject. */
  readonly about: string
  readonly title: string
  readonly body: string
  readonly target: NoticeTarget
}

export interface NoticeQueueOptions {
  readonly show: (notice: Notice) => void
  readonly isWanted: (kind: NoticeKind) => boolean
  /** Unix milliseconds. */
  readonly now: () => number
  /** Notices within this time are combined. */
  readonly gatherMs?: number
  /** Minimum time between two notifications of a kind; later ones are combined. */
  readonly quietMs?: number
}

export interface NoticeQueue {
  add(notice: Notice): void
  /** While held (asleep, locked) nothing is shown; collected notices are combined afterwards. */
  hold(isHeld: boolean): void
  close(): void
}

/** Groups notifications: at most one per kind in 30 s. */
export function createNoticeQueue(options: NoticeQueueOptions): NoticeQueue {
  const { now, gatherMs = 1_500, quietMs = 30_000 } = options
  const waiting = new Map<NoticeKind, Map<string, Notice>>()
  const timers = new Map<NoticeKind, NodeJS.Timeout>()
  const shownAt = new Map<NoticeKind, number>()
  let isHeld = false

  const tell = (kind: NoticeKind): void => {
    timers.delete(kind)
    if (isHeld) return
    const notices = [...(waiting.get(kind)?.values() ?? [])]
    waiting.delete(kind)
    const [first] = notices
    if (!first || !options.isWanted(kind)) return
    shownAt.set(kind, now())
    options.show(notices.length === 1 ? first : together(kind, notices))
  }
  const plan = (kind: NoticeKind): void => {
    if (timers.has(kind) || isHeld) return
    const quietUntil = (shownAt.get(kind) ?? -Infinity) + quietMs
    timers.set(kind, setTimeout(() => tell(kind), Math.max(gatherMs, quietUntil - now())).unref())
  }

  return {
    add: (notice) => {
      const ofKind = waiting.get(notice.kind) ?? new Map<string, Notice>()
      waiting.set(notice.kind, ofKind)
      // The youngest last.
      ofKind.delete(notice.about)
      ofKind.set(notice.about, notice)
      plan(notice.kind)
    },
    hold: (held) => {
      isHeld = held
      if (!held) for (const kind of waiting.keys()) plan(kind)
    },
    close: () => {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
      waiting.clear()
    },
  }
}

const MOST_NAMES = 5

function together(kind: NoticeKind, notices: readonly Notice[]): Notice {
  const names = notices.map(({ about }) => about)
  const listed = names.slice(0, MOST_NAMES).join(', ')
  const rest = names.length - MOST_NAMES
  return {
    kind,
    about: names.join(' '),
    title: titles[kind](notices.length),
    body: rest > 0 ? `${listed} and ${rest} more` : listed,
    target: { route: routes[kind] },
  }
}

const titles: Record<NoticeKind, (count: number) => string> = {
  changes: (count) => `${count} servers wait for your approval`,
  quarantine: (count) => `${count} results were quarantined`,
  failures: (count) => `${count} servers keep failing`,
  downloads: (count) => `${count} downloads are finished`,
}

const routes: Record<NoticeKind, string> = {
  changes: '/approvals',
  quarantine: '/quarantine',
  failures: '/servers',
  downloads: '/settings',
}
