import { oc } from '@orpc/contract'
import { z } from 'zod'

/** Admitted by a single-use link. */
export const AdmittedBrowser = z.object({
  /** SHA-256 of the public key, hexadecimal. */
  id: z.string(),
  /** Self-reported: "Firefox 145 on Linux". */
  name: z.string(),
  /** Unix milliseconds. */
  admittedAt: z.number(),
  /** To the hour. */
  usedAt: z.number(),
  /** Expiry unless used. */
  endsAt: z.number(),
})
export type AdmittedBrowser = z.infer<typeof AdmittedBrowser>

export const accessContract = {
  browsers: oc
    .route({
      method: 'GET',
      path: '/browsers',
      summary: 'Browsers that may open the screens, the latest first',
    })
    .output(z.array(AdmittedBrowser)),
  revoke: oc
    .route({
      method: 'DELETE',
      path: '/browsers/{id}',
      summary: 'End the access of a browser; its open pages are cut off within a second',
    })
    .input(z.object({ id: z.string() }))
    .output(z.object({ revoked: z.boolean() })),
}
