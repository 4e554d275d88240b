import type { IncomingMessage, ServerResponse } from 'node:http'
import { AccessProof } from '../../../../shared/access-proof.ts'
import type { AccessOffer } from '../../../../shared/access.ts'
import type { BrowserAccess, Refused } from './browser-access.ts'
import { sendApiJson } from './send-api-json.ts'
import { readUpTo } from '../../ground/read-up-to.ts'

const MAX_PROOF_BYTES = 4000

const REFUSED: Readonly<Record<Refused, string>> = {
  link: 'This link was used already or is too old. "sluice open" prints a new one.',
  proof:
    'The signature does not belong to this address, this key and a challenge of the last minute. Reload the page.',
  unknown:
    'This browser was not let in, or its access has ended. "sluice open" prints a link that lets it in.',
}

/** GET a challenge, POST its signature for a session. */
export function createServeAccess(access: BrowserAccess, command: string | undefined) {
  return async function serveAccess(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      const offer: AccessOffer = {
        challenge: access.newChallenge(),
        ...(command === undefined ? {} : { command }),
      }
      return sendApiJson(response, 200, offer)
    }
    if (request.method !== 'POST')
      return sendApiJson(response, 405, {
        code: 'METHOD_NOT_ALLOWED',
        message: `${request.method} is not possible here: use GET or POST.`,
      })
    const proof = AccessProof.safeParse(await readSmallJson(request))
    if (!proof.success)
      return sendApiJson(response, 400, {
        code: 'BAD_REQUEST',
        message: 'Send JSON with publicKey, challenge and signature.',
      })
    const entered = access.enter(proof.data, `http://${request.headers.host}`, request.headers['user-agent'])
    if ('session' in entered) sendApiJson(response, 200, entered)
    else
      sendApiJson(response, 401, {
        code: 'ACCESS_NEEDED',
        reason: entered.refused,
        message: REFUSED[entered.refused],
      })
  }
}

/** Undefined if invalid or too long. */
async function readSmallJson(request: IncomingMessage): Promise<unknown> {
  const body = await readUpTo(request, MAX_PROOF_BYTES)
  try {
    return body && JSON.parse(Buffer.concat(body.chunks).toString())
  } catch {
    return undefined
  }
}
