import { domainToUnicode } from 'node:url'

/** Undone so often: a server decodes once, and what it asks may decode again. */
const MOST_DECODINGS = 8

/**
 * One spelling for all under which a server may understand the same URI: without `.` and `..`, doubled slashes, percent
 * encoding, fragments, and differences of case. For judging only; what is sent is what the client wrote.
 */
export const plainUri = (uri: string): string =>
  plain(parsed(uri), (scheme, rest) => withoutTail(scheme, rest))

/** The same for a URI template, in which `?` and `#` may stand within braces. */
export const plainTemplate = (template: string): string =>
  plain(template.replace(DEFAULT_PORT, ''), (_, rest) => rest)

const DEFAULT_PORT =
  /(?<=^(?:http|ws):\/\/[^/?#]*):80(?![^/?#{])|(?<=^(?:http|ws)s:\/\/[^/?#]*):443(?![^/?#{])/i
const OF_THE_WEB = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:', 'file:'])

/** As URL parsers write web addresses, because SDKs find resources that way. Without user; hosts as templates name them. */
function parsed(uri: string): string {
  const url = URL.parse(uri)
  if (!url || !OF_THE_WEB.has(url.protocol)) return uri
  const { protocol, hostname, port, pathname, search } = url
  const host = `${domainToUnicode(hostname) || hostname}${port === '' ? '' : `:${port}`}`
  return `${protocol}//${host}${pathname}${search}`
}

function plain(text: string, cut: (scheme: string, rest: string) => string): string {
  // As URL parsers do it.
  const bare = text.replaceAll(/[\t\n\r]/g, '').replace(OUTER_BLANKS, '')
  const [, scheme = '', rest = ''] = /^(?:([a-z][\d+.a-z-]*):)?(.*)$/is.exec(bare) ?? []
  const name = scheme.toLowerCase()
  // Programs in C read no further than NUL.
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

/** Without empty ones, `.` and `..`, and without the dots and blanks at their ends, which Windows ignores. */
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
