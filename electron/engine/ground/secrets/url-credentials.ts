import type { ServerSettings } from '../../../../shared/settings.ts'
import { SluiceError } from '../errors.ts'

export const URL_CREDENTIALS =
  'They are sent in the header Authorization and shown nowhere, but are in config.json in plain text. To take them out, keep "USER:PASSWORD" in Base64 with "sluice secrets set NAME", and write "Authorization": "Basic ${secret:NAME}" under "headers".'

export function holdsCredentials(address: string | undefined): boolean {
  const url = URL.parse(address ?? '')
  return url !== null && (url.username !== '' || url.password !== '')
}

/**
 * Into a header, because `fetch` refuses such an address and quotes it whole in its error. Throws SETTINGS_INVALID
 * beside another such header.
 */
export function withoutUrlCredentials(serverId: string, server: ServerSettings): ServerSettings {
  if (!holdsCredentials(server.url)) return server
  if (Object.keys(server.headers ?? {}).some((name) => name.toLowerCase() === 'authorization'))
    throw new SluiceError(
      'SETTINGS_INVALID',
      `Server "${serverId}": its url holds a user name or password, and its headers an Authorization, too. Take one of them out.`,
      { data: { serverId } },
    )
  const url = new URL(server.url ?? '')
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`
  url.username = ''
  url.password = ''
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  return { ...server, url: url.href, headers: { ...server.headers, Authorization: authorization } }
}

/** URL-decoded; unchanged if invalid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
