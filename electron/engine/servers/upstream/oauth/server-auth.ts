import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client'
import type { ServerSettings } from '../../../../../shared/settings.ts'
import { SluiceError } from '../../../ground/errors.ts'
import { whileLockedAlone } from '../../../ground/files/lock.ts'
import { cleanPlain } from '../../../ground/secrets/redact.ts'
import { GrantProvider } from './grant-provider.ts'
import type { GrantStore, StoredGrant } from './stored-grant.ts'

export interface ServerAuthOptions {
  readonly serverId: string
  readonly url: URL
  readonly settings: ServerSettings['signIn']
  readonly store: GrantStore
  /** One refresh at a time across processes, because a refresh token works once. */
  readonly lockPath: string
  /** Unix milliseconds. */
  readonly now: () => number
  /** Keeps tokens out of the log. */
  readonly redact: (values: readonly string[]) => void
}

/** Sooner expiring tokens are refreshed before use. */
const SOON_MS = 30_000
const LOCK_MS = 30_000
/** Until sign-outs and sign-ins of other processes are noticed. */
const READ_AGAIN_MS = 5_000

/** Refreshes without user interaction: otherwise requests fail with SIGN_IN_NEEDED and what to do. */
export class ServerAuth implements AuthProvider {
  readonly #options: ServerAuthOptions
  #known: StoredGrant | undefined
  /** Unix milliseconds. */
  #readAt = 0
  /** Sent with a rejected request: others may have renewed it since. */
  readonly #sent = new WeakMap<Response, string>()
  #refreshing: Promise<void> | undefined

  constructor(options: ServerAuthOptions) {
    this.#options = options
  }

  readonly watch =
    (fetchFn: FetchLike): FetchLike =>
    async (url, init) => {
      const response = await fetchFn(url, init)
      const sent = new Headers(init?.headers).get('authorization')?.replace(/^Bearer /i, '')
      if (response.status === 401 && sent !== undefined) this.#sent.set(response, sent)
      return response
    }

  async token(): Promise<string | undefined> {
    const age = this.#options.now() - this.#readAt
    const isFresh = age >= 0 && age < READ_AGAIN_MS
    const known = this.#known?.tokens && isFresh ? this.#known : await this.#read()
    const { tokens, expiresAt } = known ?? {}
    if (expiresAt === undefined || expiresAt - this.#options.now() > SOON_MS) return tokens?.access_token
    await this.#refreshOnce(tokens?.access_token).catch(() => {})
    return this.#known?.tokens?.access_token
  }

  async onUnauthorized({
    response,
    fetchFn,
  }: {
    readonly response: Response
    readonly fetchFn: FetchLike
  }): Promise<void> {
    if (response.headers.has('www-authenticate')) await this.#noteChallenge(response)
    await this.#refreshOnce(this.#sent.get(response) ?? this.#known?.tokens?.access_token, fetchFn)
  }

  /** Stores the scope for the next sign-in, and returns what to do. */
  async needsScope(scope: string | undefined): Promise<SluiceError> {
    const used = this.#known?.tokens?.access_token
    if (scope !== undefined) await this.#options.store.write({ wantedScope: scope })
    this.#known = undefined
    if ((await this.#options.store.read())?.tokens?.access_token !== used) {
      const { serverId } = this.#options
      const text = `You have signed in to server "${serverId}" anew since the last call. Repeat this one.`
      return new SluiceError('SIGN_IN_NEEDED', text, { data: { server: serverId } })
    }
    return this.#signInNeeded(
      scope === undefined
        ? 'wants more rights than you gave it'
        : `wants more rights than you gave it (${scope})`,
    )
  }

  async #noteChallenge(response: Response): Promise<void> {
    const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client')
    const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response)
    const challenge = {
      ...(scope === undefined ? {} : { scope }),
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: resourceMetadataUrl.href }),
    }
    const kept = (await this.#read())?.challenge
    if (kept?.scope === challenge.scope && kept?.resourceMetadataUrl === challenge.resourceMetadataUrl) return
    await this.#options.store.write({ challenge })
  }

  #refreshOnce(used: string | undefined, fetchFn?: FetchLike): Promise<void> {
    this.#refreshing ??= this.#refresh(used, fetchFn).finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #refresh(used: string | undefined, fetchFn: FetchLike | undefined): Promise<void> {
    const { lockPath, store, settings, now, url } = this.#options
    await whileLockedAlone({ path: lockPath, patienceMs: LOCK_MS, now }, async () => {
      const kept = await this.#read()
      if (!kept?.tokens) throw this.#signInNeeded('wants you to sign in')
      if (kept.tokens.access_token !== used) return
      if (kept.tokens['refresh_token'] === undefined)
        throw this.#signInNeeded('no longer takes your sign-in, which has ended')
      const provider: GrantProvider = new GrantProvider({
        store,
        settings,
        now,
        mayReuseClient: true,
        redirectUrl: new URL(`http://127.0.0.1:${kept.port ?? 0}/callback`),
        openPage: () => {
          throw provider.isRevoked
            ? this.#signInNeeded('no longer takes your sign-in, which has ended or was revoked')
            : this.#signInNeeded('did not renew your sign-in just now. Try again, or')
        },
      })
      const { auth } = await import('@modelcontextprotocol/client')
      await auth(provider, { serverUrl: url, ...(fetchFn === undefined ? {} : { fetchFn }) })
      await this.#read()
    })
  }

  async #read(): Promise<StoredGrant | undefined> {
    this.#known = await this.#options.store.read()
    this.#readAt = this.#options.now()
    const { tokens, client } = this.#known ?? {}
    const secrets = [tokens?.access_token, tokens?.['refresh_token'], client?.['client_secret']]
    this.#options.redact(secrets.filter((value) => typeof value === 'string'))
    return this.#known
  }

  #signInNeeded(why: string): SluiceError {
    const { serverId, url } = this.#options
    const verb = why.endsWith(' or') ? 'sign' : 'Sign'
    return new SluiceError(
      'SIGN_IN_NEEDED',
      `Server "${serverId}" at ${cleanPlain(url.href)} ${why}${why.endsWith(' or') ? ' ' : '. '}${verb} in on the Servers screen, or with "sluice sign-in ${serverId}", then repeat the call.`,
      { data: { server: serverId } },
    )
  }
}
