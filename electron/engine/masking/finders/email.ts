import type { Found, Scan } from '../personal-data.ts'

const LONGEST_LOCAL_PART = 64
const LONGEST_DOMAIN = 254
const LOCAL_CODE = /[\p{L}\p{N}._%+'-]/u
const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,24})/iu
/** `icon@2x.png` and `module@v1.ts` are files. */
const FILE_ENDING =
  /\.(?:png|jpe?g|gif|svg|webp|avif|css|scss|m?js|tsx?|jsx|vue|json|html?|map|md|ya?ml|lock)$/i
/** `git@github.com:owner/project` is where a repository lies. */
const SERVICE_LOCAL_PART = /^(?:git|hg|svn)$/i

/** E-mail addresses, found at their `@`; `%40` stands for it in URLs. */
export function findEmails({ text }: Scan): Found[] {
  const found: Found[] = []
  let after = 0
  for (const at of positionsOfAt(text)) {
    const start = localPartStart(text, at.index, after)
    const rest = at.index + at.length
    const domain = DOMAIN.exec(text.slice(rest, rest + LONGEST_DOMAIN))?.[0]
    if (start === at.index || domain === undefined || FILE_ENDING.test(domain)) continue
    after = rest + domain.length
    if (SERVICE_LOCAL_PART.test(text.slice(start, at.index)) && /^:\S/.test(text.slice(after, after + 2)))
      continue
    found.push({ start, end: after })
  }
  return found
}

function* positionsOfAt(text: string): Generator<{ index: number; length: number }> {
  let plain = text.indexOf('@')
  let encoded = text.indexOf('%40')
  while (plain >= 0 || encoded >= 0) {
    if (plain >= 0 && (encoded < 0 || plain < encoded)) {
      yield { index: plain, length: 1 }
      plain = text.indexOf('@', plain + 1)
    } else {
      yield { index: encoded, length: 3 }
      encoded = text.indexOf('%40', encoded + 3)
    }
  }
}

/** Where the part before the `@` begins; `at` itself when there is none. */
function localPartStart(text: string, at: number, notBefore: number): number {
  const lowest = Math.max(notBefore, at - LONGEST_LOCAL_PART)
  let start = at
  while (start > lowest && LOCAL_CODE.test(text.charAt(start - 1))) start--
  // What is left of an escape: `\nalice@…` in a text that was quoted twice.
  if (text.charAt(start - 1) === '\\' && /[nrt]/.test(text.charAt(start))) start++
  while (start < at && /[.'%+-]/.test(text.charAt(start))) start++
  return start
}
