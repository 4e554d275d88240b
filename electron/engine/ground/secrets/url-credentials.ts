import type { ServerSettings } from '../../../../shared/settings.ts'
import { SluiceError } from '../errors.ts'

/** What becomes of them, and what is better. */
export const URL_CREDENTIALS =
  'They are sent in the header Authorization and shown nowhere, but stand in config.json in plain text. To take them out, keep "USER:PASSWORD" in Base64 with "sluice secrets set NAME", and write "Authorization": "Basic ${secret:NAME}" under "headers".'

/** Whether an address has a user name or password in it. */
export function holdsCredentials(address: string | undefined): boolean {
  const url = URL.parse(address ?? '')
  return url !== null && (url.username !== '' || url.password !== '')
}

/**
 * The same server with the user name and password of its address as the header that they stand for: `fetch` refuses such an
 * address, and quotes it whole in its error. Throws SETTINGS_INVALID where another such header stands beside them.
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

/** As it was meant before it was made fit for an address; as it stands where it is no such text. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
