import { app, powerMonitor } from 'electron'

export interface PowerListeners {
  /** Nobody looks: asleep or locked. */
  readonly onAway: () => void
  /** Somebody looks again; timers may have stood still. */
  readonly onBack: () => void
}

/** Sleep, wake, lock and unlock; the end of the session ends the app in order. */
export function followPower({ onAway, onBack }: PowerListeners): void {
  powerMonitor.on('suspend', onAway)
  powerMonitor.on('lock-screen', onAway)
  powerMonitor.on('resume', onBack)
  powerMonitor.on('unlock-screen', onBack)
  powerMonitor.on('shutdown', () => app.quit())
}
