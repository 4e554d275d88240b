import * as http from 'node:http'
import { SluiceError, messageOf } from '../ground/errors.ts'
import type { Proxies } from './proxies.ts'
import { proxyWords } from './proxies.ts'

/** Newer than the types of Node that Sluice is checked with. Returns what puts everything back. */
type SetGlobalProxy = (env: Readonly<Record<string, string>>) => () => void

/**
 * From here on every `fetch` and every request of Node's own agents goes through these proxies: remote servers, sign-ins,
 * downloads, endpoints. Throws SETTINGS_INVALID for a proxy that can't be used.
 */
export function useProxies(proxies: Proxies): () => void {
  const { setGlobalProxyFromEnv: set } = http as { setGlobalProxyFromEnv?: SetGlobalProxy }
  const unusable = (why: string): SluiceError =>
    new SluiceError(
      'SETTINGS_INVALID',
      `The proxy of the environment can't be used (${proxyWords(proxies)}): ${why}. Name one as http://host:port in HTTPS_PROXY.`,
    )
  for (const proxy of [proxies.http, proxies.https])
    if (proxy && !/^https?:$/.test(URL.parse(proxy.url)?.protocol ?? ''))
      throw unusable(`${proxy.name} is no address that begins with http:// or https://`)
  if (!set) throw unusable(`this runtime, Node ${process.versions.node}, can't be told of proxies`)
  try {
    return set({
      ...(proxies.http ? { http_proxy: proxies.http.url } : {}),
      ...(proxies.https ? { https_proxy: proxies.https.url } : {}),
      no_proxy: proxies.except,
    })
  } catch (error) {
    throw unusable(messageOf(error))
  }
}
