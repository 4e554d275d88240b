type Environment = Readonly<Record<string, string | undefined>>

/** From the environment. */
export interface Proxies {
  /** Requested address's scheme. */
  readonly http: ProxyVariable | undefined
  readonly https: ProxyVariable | undefined
  /** Direct hosts, always including this machine. */
  readonly except: string
}

interface ProxyVariable {
  readonly name: string
  readonly url: string
}

const THIS_MACHINE = 'localhost,127.0.0.1,::1'

/** Undefined without a proxy. Lower case wins over upper case, as in curl and Node. */
export function proxiesOf(env: Environment): Proxies | undefined {
  const first = (...names: string[]): ProxyVariable | undefined => {
    const name = names.find((candidate) => (env[candidate] ?? '').trim() !== '')
    return name === undefined ? undefined : { name, url: (env[name] ?? '').trim() }
  }
  const http = first('http_proxy', 'HTTP_PROXY')
  const https = first('https_proxy', 'HTTPS_PROXY')
  if (!http && !https) return undefined
  const except = first('no_proxy', 'NO_PROXY')?.url
  return { http, https, except: except === undefined ? THIS_MACHINE : `${except},${THIS_MACHINE}` }
}

/** For display, without passwords. */
export function proxyWords({ http, https, except }: Proxies): string {
  const named = [https && `https:// through ${plain(https)}`, http && `http:// through ${plain(http)}`]
  return `${named.filter((part) => part !== undefined).join(', ')}; directly: ${except}`
}

function plain({ name, url }: ProxyVariable): string {
  if (!URL.canParse(url)) return `${name}, which isn't a valid address`
  const { protocol, host } = new URL(url)
  return `${protocol}//${host} (${name})`
}
