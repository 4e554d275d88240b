import type { Logger } from './logger.ts'

const SWEEP_EVERY_MS = 10 * 60_000
const FIRST_AFTER_MS = 5_000

/** Failures are separate. Returns the stop. */
export function startSweeping(logger: Logger, sweeps: Readonly<Record<string, () => unknown>>): () => void {
  const sweep = (): void => {
    for (const [what, drop] of Object.entries(sweeps)) {
      Promise.try(drop).catch((error: unknown) =>
        logger.warn(`Old ${what} could not be dropped.`, { cause: String(error) }),
      )
    }
  }
  const sweeping = setInterval(sweep, SWEEP_EVERY_MS)
  sweeping.unref()
  const firstSweep = setTimeout(sweep, FIRST_AFTER_MS)
  firstSweep.unref()
  return () => {
    clearInterval(sweeping)
    clearTimeout(firstSweep)
  }
}
