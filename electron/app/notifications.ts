import { Notification } from 'electron'
import type { Notice, NoticeTarget } from './notice-queue.ts'

export interface Notifications {
  show(notice: Notice): void
  /** A click after the app's end would open nothing. */
  close(): void
}

export function createNotifications(open: (target: NoticeTarget) => void): Notifications {
  // Keep references: a collected notification ignores clicks.
  const shown = new Set<Notification>()
  const show: Notifications['show'] = ({ title, body, target }) => {
    if (!Notification.isSupported()) return
    const notification = new Notification({
      title,
      body,
      actions: [{ type: 'button', text: 'review' in target ? 'Review' : 'Show' }],
    })
    const go = (): void => {
      shown.delete(notification)
      open(target)
    }
    notification.on('click', go)
    notification.on('action', go)
    notification.on('close', () => shown.delete(notification))
    shown.add(notification)
    notification.show()
  }
  return {
    show,
    close: () => {
      for (const notification of shown) notification.close()
      shown.clear()
    },
  }
}
