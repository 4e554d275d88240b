import { randomBytes } from 'node:crypto'
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import type { ServerSettings } from '../../../../../shared/settings.ts'
import type { GrantStore, StoredGrant } from './stored-grant.ts'

export interface GrantProviderOptions {
  readonly store: GrantStore
  readonly settings: ServerSettings['signIn']
  readonly redirectUrl: URL
  /** Throws if not interactive. */
  readonly openPage: (url: URL) => void | Promise<void>
  /** The registered client belongs to one redirect address. */
  readonly mayReuseClient: boolean
  /** Unix milliseconds. */
  readonly now: () => number
}

/** For one sign-in or refresh. */
export class GrantProvider implements OAuthClientProvider {
  readonly #options: GrantProviderOptions
  readonly #state = randomBytes(24).toString('base64url')
  #verifier = ''
  /** Until the redirect only: each attempt discovers again. */
  #discovery: OAuthDiscoveryState | undefined
  #client: StoredOAuthClientInformation | undefined
  /** By the server. */
  isRevoked = false

  constructor(options: GrantProviderOptions) {
    this.#options = options
  }

  get redirectUrl(): URL {
    return this.#options.redirectUrl
  }

  get clientMetadataUrl(): string {
    return this.#options.settings?.clientMetadataUrl ?? ''
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scopes } = this.#options.settings ?? {}
    return {
      client_name: 'Sluice',
      redirect_uris: [this.redirectUrl.href],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
    }
  }

  state(): string {
    return this.#state
  }

  async clientInformation(): Promise<StoredOAuthClientInformation | undefined> {
    if (this.#client) return this.#client
    const { clientId, clientSecret } = this.#options.settings ?? {}
    const kept = (await this.#options.store.read())?.client
    if (clientId === undefined) return this.#options.mayReuseClient ? kept : undefined
    const issuer = kept?.client_id === clientId ? kept['issuer'] : undefined
    return {
      client_id: clientId,
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      ...(typeof issuer === 'string' ? { issuer } : {}),
    }
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    this.#client = client
    // The settings' secret is stored separately.
    const { client_secret: _secret, ...rest } = client
    const isOurs = this.#options.settings?.clientId !== undefined
    await this.#options.store.write({ client: isOurs ? rest : client })
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    return (await this.#options.store.read())?.tokens
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    const { expires_in: seconds } = tokens
    await this.#options.store.write({
      tokens: { ...tokens },
      expiresAt: seconds === undefined ? undefined : this.#options.now() + seconds * 1000,
    })
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    await this.#options.openPage(url)
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'discovery' || scope === 'all') this.#discovery = undefined
    if (scope === 'verifier' || scope === 'discovery') return
    this.isRevoked = true
    const forgotten: Partial<StoredGrant> = {
      ...(scope === 'client' ? {} : { tokens: undefined, expiresAt: undefined }),
      ...(scope === 'tokens' ? {} : { client: undefined }),
    }
    if (scope !== 'tokens') this.#client = undefined
    await this.#options.store.write(forgotten)
  }
}
