import { z } from 'zod'

/** Binary values are base64url. */
export const AccessProof = z.object({
  /** SPKI of a P-256 ECDSA key whose private half never leaves the browser. */
  publicKey: z.base64url().max(200),
  /** Or the code of a single-use link, which admits the key. */
  challenge: z.string().max(300),
  /** Of `accessWords`, 64 bytes. */
  signature: z.base64url().max(100),
})
export type AccessProof = z.infer<typeof AccessProof>
