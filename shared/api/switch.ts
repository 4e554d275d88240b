import { z } from 'zod'
import { get, post } from './routes.ts'

/** Approvals always apply. Times in Unix milliseconds. */
export const SwitchState = z.object({
  /** false: clients reach servers directly. */
  on: z.boolean(),
  /** Undefined while on, or off indefinitely. */
  offUntil: z.number().optional(),
  /** false: results pass whole. */
  compressing: z.boolean(),
  compressionPausedUntil: z.number().optional(),
})
export type SwitchState = z.infer<typeof SwitchState>

export const SwitchChange = z.object({
  what: z.enum(['everything', 'compression']),
  on: z.boolean(),
  /** Omitted: indefinitely. */
  minutes: z.coerce
    .number()
    .positive()
    .max(60 * 24 * 366)
    .optional(),
})
export type SwitchChange = z.infer<typeof SwitchChange>

export const switchContract = {
  get: get('/switch', 'Whether Sluice is on').output(SwitchState),
  set: post('/switch', 'Switch Sluice, or its compression alone, on or off')
    .input(SwitchChange)
    .output(SwitchState),
}
