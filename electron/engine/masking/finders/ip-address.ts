import { isIPv4 } from 'node:net'
import { mergeFound } from '../merge-found.ts'
import type { Found, Scan } from '../personal-data.ts'
import { isWordAt, isWordBefore } from './boundaries.ts'
import { matchesOf } from './matches-of.ts'

const IPV4 = /(?<![\d.])(?:\d{1,3}(?:\.|\[\.\]|\(\.\))){3}\d{1,3}(?![\d])/g
/** Unspecified, loopback, broadcast and netmasks; ending in zero, a network, an anonymised address or a version. */
const NOBODY_V4 = /^(?:0\.|127\.|255\.)|\.0+$/
const NOBODY_V6 = /^(?:0{0,4}:){2,7}0{0,3}1?$/
const VERSION_BEFORE =
  /(?:\bv(?:er\.?)?|versi[oó]ne?|versão|wersj[aię]|верси[яию]|sürüm|版本|バージョン|버전|\brel(?:ease)?|build|firmware|patch|§|section|chapter|[<>=~!]=|~>|\(=)[ :：="'(>]{0,3}$/i
/** "Chrome/99.0.48.151": a product of a user agent. Hosts before a slash are written small. */
const PRODUCT_BEFORE = /(?<![\w/.-])[A-Z][A-Za-z]{1,20}\/$/
const UPGRADE_BEFORE = /\b(?:up|down)grad(?:e[ds]?|ing) [^\n]{0,40}?(?:from|to|->|→) $/i
/** One address in 400 is written so, but most versions and numbers of objects are: then its context has to say so. */
const SMALL = /^\d(?:\.\d\d?){3}$/
const ADDRESS_BEFORE =
  /(?:\bips?(?:v4)?|addr(?:ess(?:es)?)?|hosts?(?:name)?|servers?|clients?|peer|remote|gateway|dns|nameserver|resolver|connect(?:ed|ion|ing)?|ping|login|from|src|dst|source|destination|neighbou?r|router-id|name-server|\/\/)[^\w\n]{0,16}(?:(?:to|at|from|is|was) )?$/i
/** "rails@6.1.7.2" is a package, unless a user name or a command comes before it. */
const LOGIN_BEFORE =
  /(?:\b(?:ssh|scp|sftp|rsync|mosh|telnet|ftp|login)\b[^\n]{0,40}|\/\/[^\s/]{0,40}|\b(?:root|admin(?:istrator)?|users?|ubuntu|ec2-user|debian|centos|pi))@$/i
const ADDRESS_AFTER = /^(?::[\d~/]|\/\d| - )/
/** Of a file or of a package's revision: "foo-10.2.33.4.tar.gz", "1.12.30.4-1ubuntu2" */
const VERSION_AFTER =
  /^(?:\.(?:tar|t[gx]z|zip|whl|gem|jar|war|deb|rpm|apk|exe|msi|dll|nupkg|vsix)\b|-(?:r\d|rc|alpha|beta|snapshot|\d{1,3}(?:ubuntu|deb|build|\.?(?:el|fc|amzn)\d|[+~])))/i
/** `page.html#id-1.6.4.6`, `<a id="id-1.6.4.6">` */
const ANCHOR_BEFORE = /(?:#|\bid=["'])[\w.-]{0,20}[a-z][_.-]$/i
const LONGEST_IPV6 = 45

export function findIpAddresses({ text, numberRuns }: Scan): Found[] {
  const v6 = text.includes(':') ? findV6(text) : []
  const mayHoldV4 =
    numberRuns.some((run) => run.some(({ separator }) => separator === '.')) || /\d[[(]\.[\])]\d/.test(text)
  return mayHoldV4 ? mergeFound(v6, findV4(text)) : v6
}

function findV4(text: string): Found[] {
  const found: Found[] = []
  for (const match of matchesOf(text, IPV4)) {
    const start = match.index
    const end = start + match[0].length
    // 1.2.3.4.5 and 1.2.3.4+dfsg are versions or object ids.
    if (/^(?:\.\d|[+~]\w)/.test(text.slice(end, end + 2)) || isWordAt(text, end) || isWordBefore(text, start))
      continue
    if (VERSION_BEFORE.test(text.slice(Math.max(0, start - 12), start))) continue
    if (ANCHOR_BEFORE.test(text.slice(Math.max(0, start - 24), start))) continue
    if (PRODUCT_BEFORE.test(text.slice(Math.max(0, start - 24), start))) continue
    const context = text.slice(Math.max(0, start - 60), start)
    if (UPGRADE_BEFORE.test(context)) continue
    const after = text.slice(end, end + 12)
    if (VERSION_AFTER.test(after)) continue
    if (SMALL.test(match[0]) && !isCalledAddress(context, after)) continue
    const address = match[0].replace(/[[\]()]/g, '')
    if (isNetwork(address, text.slice(end, end + 4))) continue
    if (isIPv4(address) && !NOBODY_V4.test(address)) found.push({ start, end })
  }
  return found
}

const isCalledAddress = (before: string, after: string): boolean =>
  ADDRESS_BEFORE.test(before) || LOGIN_BEFORE.test(before) || ADDRESS_AFTER.test(after)

/** 10.0.0.0/8 is a range; 10.0.0.5/8 is a machine's address in it. */
function isNetwork(address: string, after: string): boolean {
  const bits = Number(/^\/(\d{1,2})(?!\d)/.exec(after)?.[1] ?? 32)
  if (bits >= 32) return false
  const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  return value % 2 ** (32 - bits) === 0
}

function findV6(text: string): Found[] {
  const found: Found[] = []
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon)) {
    const { start, end } = around(text, colon)
    const hit = colon + 1 < end || start < colon ? addressIn(text, start, end) : undefined
    if (hit) found.push(hit)
    colon = Math.max(colon + 1, end)
  }
  return found
}

/** Hex digits, colons and dots around a colon, up to an address's length. */
function around(text: string, colon: number): Found {
  let start = colon
  while (start > 0 && colon - start < LONGEST_IPV6 && isIpv6Code(text.charCodeAt(start - 1))) start--
  let end = colon + 1
  while (end < text.length && end - start <= LONGEST_IPV6 && isIpv6Code(text.charCodeAt(end))) end++
  return { start, end }
}

const isIpv6Code = (code: number): boolean =>
  (code >= 48 && code <= 58) || code === 46 || (code >= 97 && code <= 102) || (code >= 65 && code <= 70)

/** Equivalent to net.isIPv6, whose pattern takes 10 ms to compile. */
const isIpv6 = (written: string): boolean => URL.canParse(`http://[${written}]/`)

function addressIn(text: string, start: number, end: number): Found | undefined {
  if (isWordBefore(text, start) || isWordAt(text, end)) return undefined
  const written = text.slice(start, end)
  const address = isIpv6(written) ? written : written.replace(/(?<!:):$|\.+$/, '')
  if (!isIpv6(address) || NOBODY_V6.test(address)) return undefined
  // A range, as "fe80::/10".
  if (address.endsWith('::') && /^\/\d/.test(text.slice(end, end + 2))) return undefined
  // `a::b` is a name in many languages; real addresses have digits and more than two parts, or a known prefix.
  const parts = address.split(':').filter((part) => part !== '')
  // Eight bytes of a serial number or fingerprint.
  if (parts.length === 8 && parts.every(({ length }) => length === 2)) return undefined
  if (
    !/\d/.test(address) ||
    (parts.length < 3 && !/^(?:::ffff|[23][0-9a-f]{3}|f[cdef][0-9a-f]{2}):/i.test(address))
  )
    return undefined
  return { start, end: start + address.length }
}
