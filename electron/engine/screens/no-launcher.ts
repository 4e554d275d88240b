import type { NoLauncher } from '../client-configs/entries/sluice-entry.ts'

export const NO_LAUNCHER: NoLauncher = {
  unavailable:
    'This Sluice was not told how AI apps can start it, so it changes none of them. Use `sluice wrap`.',
}
