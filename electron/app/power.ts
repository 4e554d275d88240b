import { app, powerMonitor } from 'electron'

export interface PowerListeners {
  /** Asleep or locked. */
  readonly onAway: () => void
  /** Timers may have been suspended. */
  readonly onBack: () => void
}

export function followPower({ onAway, onBack }: PowerListeners): void {
  powerMonitor.on('suspend', onAway)
  powerMonitor.on('lock-screen', onAway)
  powerMonitor.on('resume', onBack)
  powerMonitor.on('unlock-screen', onBack)
  powerMonitor.on('shutdown', () => app.quit())
}
