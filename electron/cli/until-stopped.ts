import type { CliContext } from './cli-context.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The second request to stop ends the process at once. */
export function untilStopped({ signals, stderr }: CliContext): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    const onSignal = (): void => {
      if (asked) {
        stderr.write('sluice: stopped at once; servers may still be running.\n')
        process.exit(1)
      }
      asked = true
      resolve()
    }
    for (const signal of SIGNALS) signals.on(signal, onSignal)
  })
}
