import { crashReporter } from 'electron'

/** Dumps of crashes stay in the data folder (desktop/Crashpad) for whoever wants to report one; nothing is sent. */
export const keepCrashReportsHere = (): void =>
  crashReporter.start({ uploadToServer: false, compress: true, ignoreSystemCrashHandler: false })
