import { oc } from '@orpc/contract'
import { z } from 'zod'

/** Whether Sluice does anything to what passes, besides holding approvals. Times are Unix milliseconds. */
export const SwitchState = z.object({
  /** false: clients reach their servers straight through; only approvals hold. */
  on: z.boolean(),
  /** When it goes on again by itself; undefined while it is on, or off until somebody acts. */
  offUntil: z.number().optional(),
  /** false: results pass whole; everything else stays. */
  compressing: z.boolean(),
  compressionPausedUntil: z.number().optional(),
})
export type SwitchState = z.infer<typeof SwitchState>

export const SwitchChange = z.object({
  what: z.enum(['everything', 'compression']),
  on: z.boolean(),
  /** Switches it on again after so many minutes; left out: somebody has to. */
  minutes: z.coerce
    .number()
    .positive()
    .max(60 * 24 * 366)
    .optional(),
})
export type SwitchChange = z.infer<typeof SwitchChange>

export const switchContract = {
  get: oc.route({ method: 'GET', path: '/switch', summary: 'Whether Sluice is on' }).output(SwitchState),
  set: oc
    .route({
      method: 'POST',
      path: '/switch',
      summary: 'Switch Sluice, or its compression alone, on or off',
    })
    .input(SwitchChange)
    .output(SwitchState),
}
