import { z } from 'zod'
import { get, Id, remove } from './routes.ts'

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
  browsers: get('/browsers', 'Browsers that may open the screens, the latest first').output(
    z.array(AdmittedBrowser),
  ),
  revoke: remove('/browsers/{id}', 'End the access of a browser; its open pages are cut off within a second')
    .input(Id)
    .output(z.object({ revoked: z.boolean() })),
}
