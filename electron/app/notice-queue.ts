import type { NoticeKind } from '../../shared/api/desktop.ts'

export type NoticeTarget = { readonly route: string } | { readonly review: string }

/** While no window is visible. */
export interface Notice {
  readonly kind: NoticeKind
  /** For example a server id. Replaces an older notice with the same subject. */
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
  /** Combines notices within this time. */
  readonly gatherMs?: number
  readonly quietMs?: number
}

export function createNoticeQueue(options: NoticeQueueOptions) {
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
    add: (notice: Notice): void => {
      const ofKind = waiting.get(notice.kind) ?? new Map<string, Notice>()
      waiting.set(notice.kind, ofKind)
      // Newest last.
      ofKind.delete(notice.about)
      ofKind.set(notice.about, notice)
      plan(notice.kind)
    },
    hold: (held: boolean): void => {
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
  budgets: (count) => `${count} budgets are nearly used`,
}

const routes: Record<NoticeKind, string> = {
  changes: '/approvals',
  quarantine: '/quarantine',
  failures: '/servers',
  downloads: '/settings',
  budgets: '/',
}
