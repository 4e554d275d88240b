import { vi } from 'vitest'
import { GIVE_UP_MS } from './give-up.ts'

/** What `look` returns once it no longer throws, looked at every `interval` milliseconds. */
export const waitFor = <T>(look: () => T | Promise<T>, interval = 50): Promise<T> =>
  vi.waitFor(look, { timeout: GIVE_UP_MS, interval })
