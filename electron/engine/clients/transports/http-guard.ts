import type { IncomingHttpHeaders } from 'node:http'
import { isSameToken } from './access-token.ts'

/** Before reading the request. */
export interface Refusal {
  readonly status: 401 | 403
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']

/** DNS rebinding: a page can point its name to this machine, but `Host` and `Origin` still show it. */
export function refuseForeign(headers: IncomingHttpHeaders, port: number): Refusal | undefined {
  const hosts = LOOPBACK_NAMES.map((name) => `${name}:${port}`)
  const { host, origin } = headers
  if (host === undefined || !hosts.includes(host.toLowerCase()))
    return {
      status: 403,
      message: `Host "${host ?? ''}" is not allowed: Sluice answers to ${hosts.join(', ')} only. A forwarder has to keep the port, as in "ssh -L ${port}:127.0.0.1:${port}", or to send "Host: ${hosts[0]}".`,
    }
  if (origin !== undefined && !hosts.some((name) => origin === `http://${name}`))
    return { status: 403, message: `Origin "${origin}" is not allowed: only Sluice's own pages may call it.` }
  return undefined
}

export function refuseUnauthorised(headers: IncomingHttpHeaders, token: string): Refusal | undefined {
  const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  if (given !== undefined && isSameToken(given, token)) return undefined
  return {
    status: 401,
    message:
      given === undefined
        ? 'Send "Authorization: Bearer TOKEN". "sluice serve" prints where the token is.'
        : 'This token is not the right one. "sluice serve" prints where the token is.',
    headers: {
      'WWW-Authenticate': `Bearer realm="sluice"${given === undefined ? '' : ', error="invalid_token"'}`,
    },
  }
}
