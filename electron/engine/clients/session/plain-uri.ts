import { domainToUnicode } from 'node:url'

/** Servers decode repeatedly, too. */
const MOST_DECODINGS = 8

/**
 * One spelling for what a server may treat as one URI: without `.`, `..`, doubled slashes, percent encoding,
 * fragments, case differences. For checks; the client's spelling is sent.
 */
export const plainUri = (uri: string): string =>
  plain(parsed(uri), (scheme, rest) => withoutTail(scheme, rest))

/** `?` and `#` may occur within braces. */
export const plainTemplate = (template: string): string =>
  plain(template.replace(DEFAULT_PORT, ''), (_, rest) => rest)

const DEFAULT_PORT =
  /(?<=^(?:http|ws):\/\/[^/?#]*):80(?![^/?#{])|(?<=^(?:http|ws)s:\/\/[^/?#]*):443(?![^/?#{])/i
const OF_THE_WEB = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:', 'file:'])

/** Web addresses like URL parsers, because SDKs find resources that way. Without user. */
function parsed(uri: string): string {
  const url = URL.parse(uri)
  if (!url || !OF_THE_WEB.has(url.protocol)) return uri
  const { protocol, hostname, port, pathname, search } = url
  const host = `${domainToUnicode(hostname) || hostname}${port === '' ? '' : `:${port}`}`
  return `${protocol}//${host}${pathname}${search}`
}

function plain(text: string, cut: (scheme: string, rest: string) => string): string {
  // Like URL parsers.
  const bare = text.replaceAll(/[\t\n\r]/g, '').replace(OUTER_BLANKS, '')
  const [, scheme = '', rest = ''] = /^(?:([a-z][\d+.a-z-]*):)?(.*)$/is.exec(bare) ?? []
  const name = scheme.toLowerCase()
  const [decoded = ''] = decode(cut(name, rest)).replaceAll('\\', '/').split('\0')
  const hasHost = decoded.startsWith('//')
  const segments = resolve(decoded.split('/'), hasHost && name !== 'file' ? 1 : 0)
  if (name === 'file' && hasHost && /^\/\/localhost(?:\/|$)/i.test(decoded)) segments.shift()
  const start = name === 'file' ? 'file:///' : `${name}:${hasHost ? '//' : ''}`
  return `${start}${segments.join('/')}`.normalize('NFC').toLowerCase()
}

// oxlint-disable-next-line no-control-regex -- URL parsers drop these
const OUTER_BLANKS = /^[\0- ]+|[\0- ]+$/g

const withoutTail = (scheme: string, rest: string): string =>
  rest.replace(scheme === 'file' ? /[#?].*$/s : /#.*$/s, '')

function decode(text: string): string {
  let decoded = text
  for (let round = 0; round < MOST_DECODINGS; round++) {
    const before = decoded
    decoded = before.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run)
      } catch {
        return run
      }
    })
    if (decoded === before) break
  }
  return decoded
}

/** Drops empty segments, `.`, `..`, and trailing dots and blanks, which Windows ignores. */
function resolve(segments: readonly string[], kept: number): string[] {
  const open: string[] = []
  for (const segment of segments) {
    if (segment === '..') {
      if (open.length > kept) open.pop()
      continue
    }
    const name = segment.replace(/[. ]+$/, '')
    if (name !== '') open.push(name)
  }
  return open
}
