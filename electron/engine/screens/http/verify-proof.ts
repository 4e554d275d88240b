import { createHash, createPublicKey, verify } from 'node:crypto'
import type { AccessProof } from '../../../../shared/access-proof.ts'
import { accessWords } from '../../../../shared/access.ts'

/** Hash of the key if it signed for this origin. */
export function verifyProof(proof: AccessProof, origin: string): string | undefined {
  const spki = Buffer.from(proof.publicKey, 'base64url')
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return undefined
    const signed = verify(
      'sha256',
      Buffer.from(accessWords(origin, proof.challenge)),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(proof.signature, 'base64url'),
    )
    // Of the key itself, because its encoding varies.
    const canonical = key.export({ format: 'der', type: 'spki' })
    return signed ? createHash('sha256').update(canonical).digest('hex') : undefined
  } catch {
    return undefined
  }
}
