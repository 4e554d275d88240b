import { gunzipSync, inflateSync } from 'node:zlib'

export type Payload =
  | { readonly text: string }
  | { readonly isUnreadable: true }
  /** A picture, sound, or other data. */
  | undefined

export interface Declared {
  readonly mimeType: unknown
  /** Addresses and names, whose ending tells the type. */
  readonly names: readonly unknown[]
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/
const TEXT_TYPE =
  /^text\/|[/+](?:json|xml|yaml|html|svg|csv|markdown|javascript|ecmascript|typescript|toml|sql|graphql|ndjson|x-sh|x-httpd-php|x-www-form-urlencoded)\b/i
const TEXT_NAME =
  /\.(?:txt|md|markdown|rst|adoc|json[lc5]?|ndjson|ya?ml|toml|ini|cfg|conf|env|xml|html?|svg|css|csv|tsv|log|sql|sh|py|rb|php|java|kt|go|rs|c|h|cpp|cs|swift|jsx?|mjs|cjs|tsx|vue|tex|srt|vtt|eml|ics|vcf|diff|patch)(?:[?#]|$)/i
/** Not text, if the first bytes agree. */
const MEDIA_TYPE = /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|wasm|vnd\.)/i
/** First bytes, as Latin-1, of pictures, sound, films, fonts, documents and archives. */
const MEDIA =
  // oxlint-disable-next-line no-control-regex -- as these files begin
  /^(?:\x89PNG\r?\n?|\xff\xd8\xff|GIF8[79]a|RIFF[^]{4}(?:WEBP|WAVE|AVI )|BM[^]{4}\0\0\0\0|II\*\0|MM\0\*|\0\0[\x01\x02]\0|OggS|ID3[\x02-\x04]|\xff[\xe2\xe3\xf2\xf3\xfa\xfb\xf1\xf9]|fLaC|[^]{4}ftyp|\x1aE\xdf\xa3|wOF[F2]|OTTO|\0\x01\0\0\0|ttcf|%PDF-|PK\x03\x04|7z\xbc\xaf|Rar!\x1a|\x28\xb5\x2f\xfd|\xfd7zXZ|BZh[1-9]|\x7fELF|MZ|SQLite format 3\0|\0asm|MThd)/
/** Only packed ones: a text declared as one must be unpacked to be read. */
// oxlint-disable-next-line no-control-regex -- as these files begin
const PACKED = /^(?:PK\x03\x04|7z\xbc\xaf|Rar!\x1a|\x28\xb5\x2f\xfd|\xfd7zXZ|BZh[1-9])/
const FIRST = 48
/** Pictures, sound and documents have texts at beginning and end; bytes searched on each side. */
const SEARCHED = 512_000
/** Shorter runs in a file are chance, tables and names. */
const RUN = /[\t\n\r\x20-\x7e]{40,}/g
/** A picture's beginning with this share of ASCII is a text with data in it, or a document. */
const MOSTLY_TEXT = 0.6
/** Nested compression. */
const MOST_LAYERS = 16
/** In bytes. */
const MOST_UNPACKED = 16_000_000
/** Readable share of a text; higher if it wasn't declared as text. */
const READABLE = 0.85
const SURELY_READABLE = 0.97

/**
 * Reads base64 in any form that a reader accepts: white space, NUL, UTF-16, Latin-1, gzip and zlib. Not text: only
 * what is declared as picture, sound or document and begins as one. Declared text is read whatever its beginning; of
 * undeclared data the long runs are. Fails closed for declared text.
 */
export function readPayload(payload: string, declared: Declared): Payload {
  const dense = /\s/.test(payload) ? payload.replace(/\s+/g, '') : payload
  // Not base64: read as it is.
  if (!BASE64.test(dense)) return { text: payload }
  const isText = isDeclaredText(declared)
  const first = Buffer.from(dense.slice(0, 2 * FIRST), 'base64').toString('latin1')
  if (!isText && MEDIA_TYPE.test(String(declared.mimeType)) && MEDIA.test(first)) return undefined
  return readBytes(Buffer.from(dense, 'base64'), isText)
}

function isDeclaredText({ mimeType, names }: Declared): boolean {
  if (typeof mimeType === 'string' && TEXT_TYPE.test(mimeType)) return true
  return names.some((name) => typeof name === 'string' && TEXT_NAME.test(name))
}

function readBytes(bytes: Buffer, isDeclared: boolean, layer = 1): Payload {
  const unreadable: Payload = isDeclared ? { isUnreadable: true } : undefined
  if (isPacked(bytes)) {
    const unpacked = layer < MOST_LAYERS ? unpack(bytes) : undefined
    if (unpacked) return readBytes(unpacked, isDeclared, layer + 1)
    // "x^2" begins like zlib.
    if (utf8(bytes) === undefined) return unreadable
  }
  const first = bytes.subarray(0, FIRST).toString('latin1')
  if (MEDIA.test(first)) return readMedia(bytes, first, isDeclared)
  const text = decode(bytes)
  return printableShare(text) >= (isDeclared ? READABLE : SURELY_READABLE) ? { text } : unreadable
}

function readMedia(bytes: Buffer, first: string, isDeclared: boolean): Payload {
  const text = isDeclared ? decode(bytes) : utf8(bytes)
  if (text !== undefined && printableShare(text) >= (isDeclared ? READABLE : SURELY_READABLE)) return { text }
  if (isDeclared && (PACKED.test(first) || (bytes.length > FIRST && asciiShare(bytes) >= MOSTLY_TEXT)))
    return { isUnreadable: true }
  const ends =
    bytes.length <= 2 * SEARCHED ? [bytes] : [bytes.subarray(0, SEARCHED), bytes.subarray(-SEARCHED)]
  const runs = ends.flatMap((end) => end.toString('latin1').replaceAll('\0', '').match(RUN) ?? [])
  const words = runs.filter((run) => run.includes(' '))
  return words.length > 0 ? { text: words.join('\n') } : undefined
}

const isPacked = ([a = 0, b = 0]: Buffer): boolean =>
  (a === 0x1f && b === 0x8b) || (a === 0x78 && (0x7800 | b) % 31 === 0)

function unpack(bytes: Buffer): Buffer | undefined {
  try {
    const options = { maxOutputLength: MOST_UNPACKED }
    return bytes[0] === 0x1f ? gunzipSync(bytes, options) : inflateSync(bytes, options)
  } catch {
    return undefined
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Buffer): string {
  const wide = wideEncoding(bytes)
  if (wide) return new TextDecoder(wide).decode(bytes)
  return utf8(bytes) ?? bytes.toString('latin1').replaceAll('\0', '')
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return strictUtf8.decode(bytes).replaceAll('\0', '')
  } catch {
    return undefined
  }
}

/** By its mark, or by NUL in every other byte, as with Latin letters. */
export function wideEncoding(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const looked = Math.min(bytes.length & ~1, 400)
  let [even, odd] = [0, 0]
  for (let i = 0; i < looked; i += 2) {
    if (bytes[i] === 0) even++
    if (bytes[i + 1] === 0) odd++
  }
  const many = looked * 0.3
  if (looked >= 8 && odd > many && even < odd / 4) return 'utf-16le'
  return looked >= 8 && even > many && odd < even / 4 ? 'utf-16be' : undefined
}

/** Sampled over the whole text. */
function printableShare(text: string): number {
  const step = Math.max(1, Math.floor(text.length / 4_000))
  let [looked, printable] = [0, 0]
  for (let i = 0; i < text.length; i += step) {
    const code = text.charCodeAt(i)
    looked++
    if ((code >= 0x20 && code < 0x7f) || (code >= 0x09 && code <= 0x0d) || code === 0x1b || code >= 0xa0)
      printable++
  }
  return looked === 0 ? 1 : printable / looked
}

function asciiShare(bytes: Buffer): number {
  const step = Math.max(1, Math.floor(bytes.length / 4_000))
  let [looked, printable] = [0, 0]
  for (let i = 0; i < bytes.length; i += step) {
    const code = bytes[i] ?? 0
    if (code !== 0) looked++
    if ((code >= 0x20 && code < 0x7f) || (code >= 0x09 && code <= 0x0d)) printable++
  }
  return looked === 0 ? 0 : printable / looked
}
