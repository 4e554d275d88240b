import {
  ACCESS_PATH,
  accessWords,
  SESSION_HEADER,
  type AccessGrant,
  type AccessOffer,
} from '../../shared/access.ts'
import { linkCode } from './link-code.ts'
import { loadKey, makeKey, type BrowserKey } from './browser-key.ts'

export type Entry =
  | { readonly kind: 'in'; readonly session: string }
  | { readonly kind: 'out'; readonly wasLinkRefused: boolean; readonly command: string | undefined }
  | { readonly kind: 'away' }

/** In memory only, so that a later page at this address finds nothing. */
let entering: Promise<Entry> | undefined
let isLinkTried = false

export const enter = (): Promise<Entry> =>
  (entering ??= ask()
    .catch((): Entry => ({ kind: 'away' }))
    .then((entry) => {
      if (entry.kind !== 'in') entering = undefined
      return entry
    }))

export async function fetchAdmitted(request: Request, init: RequestInit): Promise<Response> {
  const again = request.clone()
  const first = await enter()
  const response = await fetch(withSession(request, first), init)
  if (response.status !== 401 || first.kind !== 'in') return response
  entering = undefined
  const second = await enter()
  return second.kind === 'in' ? fetch(withSession(again, second), init) : response
}

function withSession(request: Request, entry: Entry): Request {
  if (entry.kind === 'in') request.headers.set(SESSION_HEADER, entry.session)
  return request
}

async function ask(): Promise<Entry> {
  const kept = await loadKey()
  const code = isLinkTried ? undefined : linkCode
  if (code !== undefined) {
    const session = await prove(kept ?? (await makeKey()), code)
    isLinkTried = true
    if (session !== undefined) return { kind: 'in', session }
  }
  const response = await fetch(ACCESS_PATH)
  if (!response.ok) throw new Error(`${ACCESS_PATH} answered ${response.status}`)
  // Answer of our own engine.
  const { challenge, command } = (await response.json()) as AccessOffer
  const session = kept && (await prove(kept, challenge))
  return session === undefined
    ? { kind: 'out', wasLinkRefused: code !== undefined, command }
    : { kind: 'in', session }
}

async function prove(key: BrowserKey, challenge: string): Promise<string | undefined> {
  const signature = await key.sign(accessWords(location.origin, challenge))
  const response = await fetch(ACCESS_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ publicKey: key.publicKey, challenge, signature }),
  })
  if (response.status === 401) return undefined
  if (!response.ok) throw new Error(`${ACCESS_PATH} answered ${response.status}`)
  return ((await response.json()) as AccessGrant).session
}
