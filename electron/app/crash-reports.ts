import { crashReporter } from 'electron'

/** Crash dumps stay in the data folder (desktop/Crashpad); nothing is uploaded. */
export const keepCrashReportsHere = (): void =>
  crashReporter.start({ uploadToServer: false, compress: true, ignoreSystemCrashHandler: false })
