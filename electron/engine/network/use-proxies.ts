import * as http from 'node:http'
import { SluiceError, messageOf } from '../ground/errors.ts'
import type { Proxies } from './proxies.ts'
import { proxyWords } from './proxies.ts'

/** Newer than our Node types. Returns the function that restores everything. */
type SetGlobalProxy = (env: Readonly<Record<string, string>>) => () => void

/**
 * For every `fetch` and request of Node's agents: remote servers, sign-ins, downloads, endpoints. Throws
 * SETTINGS_INVALID for an unusable proxy.
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
      throw unusable(`${proxy.name} must start with http:// or https://`)
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
