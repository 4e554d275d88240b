import { z } from 'zod'

/** What a page sends to be let in. Binary values are base64url. */
export const AccessProof = z.object({
  /** SPKI of an ECDSA key on P-256 whose private half never leaves the browser. */
  publicKey: z.base64url().max(200),
  /** The challenge of an offer, or the code of a one-time link: that admits the key. */
  challenge: z.string().max(300),
  /** Of `accessWords`, 64 bytes. */
  signature: z.base64url().max(100),
})
export type AccessProof = z.infer<typeof AccessProof>
