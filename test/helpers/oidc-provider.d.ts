/** oidc-provider has no types; these are used. */
declare module 'oidc-provider' {
  import type { EventEmitter } from 'node:events'
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface IssuedToken {
    readonly scope?: string
    readonly grantId?: string
    readonly isExpired: boolean
    destroy(): Promise<void>
  }

  interface Grant {
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
    destroy(): Promise<void>
  }

  export default class Provider extends EventEmitter {
    constructor(issuer: string, configuration: object)
    readonly AccessToken: { find(token: string): Promise<IssuedToken | undefined> }
    readonly RefreshToken: { revokeByGrantId(grantId: string): Promise<void> }
    readonly Grant: new (fields: { accountId: string; clientId: string }) => Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ readonly params: { readonly client_id: string; readonly scope?: string } }>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
