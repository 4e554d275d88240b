import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
} from '@modelcontextprotocol/client'
import type { ServerSettings } from '../../../../../shared/settings.ts'
import { messageOf, SluiceError } from '../../../ground/errors.ts'
import { whileLockedAlone } from '../../../ground/files/lock.ts'
import { LATEST_LEGACY_VERSION } from '../../../protocol/era.ts'
import { withinTime } from '../within-time.ts'
import { GrantProvider } from './grant-provider.ts'
import { openLoopback } from './loopback.ts'
import type { GrantStore, StoredGrant } from './stored-grant.ts'

export interface SignInOptions {
  readonly serverId: string
  readonly settings: ServerSettings
  readonly store: GrantStore
  /** One sign-in per server at a time: one page. */
  readonly lockPath: string
  readonly openPage: (url: URL) => void | Promise<void>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly fetch?: typeof fetch
  /** For the user. */
  readonly patienceMs?: number
  /** The caller left: abandons the page. */
  readonly signal?: AbortSignal | undefined
}

const PATIENCE_MS = 10 * 60_000

/**
 * OAuth 2.1 with PKCE by the SDK's client; stores the grant. Only on the user's request. Rejects with SIGN_IN_FAILED.
 */
export async function signIn(options: SignInOptions): Promise<void> {
  const { serverId, settings, lockPath, now } = options
  if (settings.url === undefined)
    throw failed(serverId, 'it is a program and no remote server, so there is nothing to sign in to.')
  const url = new URL(settings.url)
  await whileLockedAlone({ path: lockPath, patienceMs: 0, now }, () => signInAlone(options, url)).catch(
    (error: unknown) => {
      throw error instanceof SluiceError ? error : failed(serverId, `${messageOf(error)}.`, error)
    },
  )
}

async function signInAlone(options: SignInOptions, url: URL): Promise<void> {
  const { serverId, settings, store, openPage, now } = options
  const fetchFn = options.fetch ?? fetch
  const kept = await store.read().catch(() => undefined)
  const loopback = await openLoopback(kept?.port)
  try {
    const challenge = kept?.challenge ?? (await challengeOf(url, settings, fetchFn))
    const asked = challenge.scope ?? settings.signIn?.scopes?.join(' ')
    const scope =
      kept?.wantedScope === undefined
        ? asked
        : computeScopeUnion(asked, scopeOf(kept.tokens), kept.wantedScope)
    const provider = new GrantProvider({
      store,
      settings: settings.signIn,
      now,
      redirectUrl: loopback.url,
      // A registration fixes the redirect address, and sometimes the maximum scope.
      mayReuseClient:
        kept?.port === Number(loopback.url.port) &&
        !isStrictScopeSuperset(scope, scopeOf(kept.client) ?? scope),
      openPage,
    })
    const common = {
      serverUrl: url,
      fetchFn,
      ...(challenge.resourceMetadataUrl
        ? { resourceMetadataUrl: new URL(challenge.resourceMetadataUrl) }
        : {}),
      ...(scope === undefined ? {} : { scope }),
    }
    const answer = loopback.answer(provider.state())
    await auth(provider, { ...common, forceReauthorization: true })
    const query = await withinTime(
      Promise.race([answer, abandoned(options.signal)]),
      options.patienceMs ?? PATIENCE_MS,
      'the page was not answered in time',
    )
    const code = query.get('code')
    const iss = query.get('iss')
    // The page's text is untrusted.
    if (code === null)
      throw failed(
        serverId,
        `the page answered "${(query.get('error') ?? 'nothing').replaceAll(/[^a-z_]/g, '')}".`,
      )
    await auth(provider, { ...common, authorizationCode: code, ...(iss === null ? {} : { iss }) })
    await store.write({ port: Number(loopback.url.port), wantedScope: undefined })
  } finally {
    await loopback.close()
  }
}

const abandoned = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    const leave = (): void => reject(new Error('nobody waits for it any more'))
    if (signal?.aborted) leave()
    else signal?.addEventListener('abort', leave, { once: true })
  })

const scopeOf = (granted: Readonly<Record<string, unknown>> | undefined): string | undefined =>
  typeof granted?.['scope'] === 'string' ? granted['scope'] : undefined

async function challengeOf(
  url: URL,
  settings: ServerSettings,
  fetchFn: typeof fetch,
): Promise<NonNullable<StoredGrant['challenge']>> {
  const response = await fetchFn(url, {
    method: 'POST',
    headers: {
      ...settings.headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: LATEST_LEGACY_VERSION,
        capabilities: {},
        clientInfo: { name: 'sluice', version: '1' },
      },
    }),
  })
  await response.body?.cancel()
  if (response.status !== 401) return {}
  const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response)
  return { scope, resourceMetadataUrl: resourceMetadataUrl?.href }
}

const failed = (serverId: string, why: string, cause?: unknown): SluiceError =>
  new SluiceError('SIGN_IN_FAILED', `Signing in to server "${serverId}" did not work: ${why}`, {
    data: { server: serverId },
    ...(cause === undefined ? {} : { cause }),
  })
