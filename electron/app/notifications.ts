import { Notification } from 'electron'
import type { Notice, NoticeTarget } from './notice-queue.ts'

/** The system's notifications. A click, or the button where the system shows one, leads to what it is about. */
export function createNotifications(open: (target: NoticeTarget) => void): (notice: Notice) => void {
  // One that nobody holds is collected, and then its click goes nowhere.
  const shown = new Set<Notification>()
  return ({ title, body, target }) => {
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
}
