import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import {
  ACCESS_PATH,
  accessWords,
  SESSION_HEADER,
  type AccessGrant,
  type AccessOffer,
} from '../../shared/access.ts'

/** Does what the page does for access. */
export interface ProgramBrowser {
  /** As listed by the engine. */
  readonly id: string
  /** `changes` replaces parts. */
  proof(origin: string, challenge: string): { publicKey: string; challenge: string; signature: string }
  /** Single-use. */
  open(link: string): Promise<Response>
  /** To an engine that admitted its key before. */
  enter(url: string): Promise<Response>
}

export function createProgramBrowser(userAgent = 'test'): ProgramBrowser {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  const proof: ProgramBrowser['proof'] = (origin, challenge) => ({
    publicKey: spki.toString('base64url'),
    challenge,
    signature: signed(privateKey, accessWords(origin, challenge)),
  })
  const post = (url: string, challenge: string): Promise<Response> =>
    postProof(url, proof(url, challenge), userAgent)
  return {
    id: createHash('sha256').update(spki).digest('hex'),
    proof,
    open: (link) => {
      const { origin, searchParams } = new URL(link)
      return post(origin, searchParams.get('code') ?? '')
    },
    enter: async (url) => post(url, await challengeOf(url)),
  }
}

export const postProof = (url: string, proof: object, userAgent = 'test'): Promise<Response> =>
  fetch(url + ACCESS_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: url, 'User-Agent': userAgent },
    body: JSON.stringify(proof),
  })

export const challengeOf = async (url: string): Promise<string> =>
  ((await (await fetch(url + ACCESS_PATH)).json()) as AccessOffer).challenge

/** Session header of an admitting answer. */
export const sessionOf = async (granted: Response): Promise<Record<string, string>> => ({
  [SESSION_HEADER]: ((await granted.json()) as AccessGrant).session,
})

const signed = (key: KeyObject, text: string): string =>
  sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
