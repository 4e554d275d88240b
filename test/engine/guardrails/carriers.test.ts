import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { BUILT_IN_GUARD_POLICY } from '../../../shared/guard-policy.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { ATTACK, createTestGuard, TELLTALE, toolCall } from '../../helpers/guard.ts'

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
const inLines = (base64: string): string => base64.replace(/.{76}/g, '$&\r\n')
const words = ATTACK.split(' ')
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const NOISE = Buffer.from(Array.from({ length: 3_000 }, (_, n) => (n * 167 + (n >> 3) * 59) % 256))
const noises = (count: number): Buffer[] => Array.from({ length: count }, () => NOISE)
const FIRST_BYTES = [
  'MZ',
  'GIF89a',
  '%PDF-1.4\n',
  'PK\x03\x04',
  'OggS',
  '\x89PNG\r\n\x1a\n',
  '\xff\xd8\xff',
  '\xfd7zXZ\0',
]

/** Blobs that a text reader reads, with the MIME types a server may give. */
const BLOBS: readonly (readonly [string, Buffer | string, JsonObject])[] = [
  ['base64 in lines', inLines(Buffer.from(ATTACK.repeat(2)).toString('base64')), { mimeType: 'text/plain' }],
  ['Latin-1', Buffer.from(`Müller: ${ATTACK}`, 'latin1'), { mimeType: 'text/plain' }],
  ['Latin-1 of no declared type', Buffer.from(`Müller: ${ATTACK}`, 'latin1'), {}],
  ['UTF-16', Buffer.from(`\ufeff${ATTACK}`, 'utf16le'), { mimeType: 'text/plain' }],
  ['UTF-16 without a mark', Buffer.from(ATTACK, 'utf16le'), { mimeType: 'text/plain;charset=utf-16' }],
  ['UTF-16 of the other order', utf16be(`\ufeff${ATTACK}`), { mimeType: 'application/json' }],
  ['UTF-16 of the other order without a mark', utf16be(ATTACK), {}],
  ['one NUL', Buffer.from(`a\0b ${ATTACK}`), { mimeType: 'text/plain' }],
  ['a name that says text', Buffer.from(ATTACK), { mimeType: 'image/png', uri: 'x:notes.md' }],
  ['a picture in name only', Buffer.from(ATTACK), { mimeType: 'image/png' }],
  ['gzip', gzipSync(ATTACK), { mimeType: 'application/gzip' }],
  ['zlib', deflateSync(ATTACK), {}],
  ['zlib in gzip that is called text', gzipSync(deflateSync(ATTACK)), { mimeType: 'text/plain' }],
  ['a text that begins as zlib does', Buffer.from(`x^2 ${ATTACK}`), { mimeType: 'text/plain' }],
  ['a text of no declared type that begins as a program does', Buffer.from(`MZ ${ATTACK}`), {}],
  ['a picture with words in it', Buffer.concat([PNG, NOISE, Buffer.from(ATTACK), NOISE]), {}],
  ['UTF-16 in a picture', Buffer.concat([PNG, Buffer.from(`\n${ATTACK}`, 'utf16le')]), {}],
  ['words at the end of a long picture', Buffer.concat([PNG, ...noises(600), Buffer.from(ATTACK)]), {}],
  ['a picture that is called text', Buffer.concat([PNG, NOISE, Buffer.from(ATTACK)]), { uri: 'x:a.txt' }],
  ...FIRST_BYTES.flatMap((first): (readonly [string, Buffer, JsonObject])[] => {
    const bytes = Buffer.concat([Buffer.from(first, 'latin1'), Buffer.from(` ${ATTACK}`)])
    const name = JSON.stringify(first)
    return [
      [`a text that begins with ${name}`, bytes, { mimeType: 'text/plain' }],
      [`a text by its name that begins with ${name}`, bytes, { uri: 'x:notes.txt' }],
      [`gzip of ${name} and a text`, gzipSync(bytes), { mimeType: 'application/json' }],
    ]
  }),
  ['gzip that is called text', gzipSync(gzipSync(ATTACK)), { mimeType: 'text/plain' }],
]

const blobOf = (bytes: Buffer | string): string =>
  typeof bytes === 'string' ? bytes : bytes.toString('base64')

/** Contains no long run of words. */
const torn = (text: string): Buffer =>
  Buffer.concat([Buffer.from('GIF89a'), Buffer.from(text.replace(/.{3}/g, '$&\x81'), 'latin1')])

async function passes(result: JsonObject) {
  const { guard, quarantine } = createTestGuard()
  const outcome = await guard.guardResult(() => Promise.resolve({ result }))(toolCall())
  const [entry] = quarantine.list()
  if (entry) expect(JSON.stringify(outcome.result)).not.toContain(TELLTALE)
  return { outcome, entry }
}

describe('an attack in a payload', () => {
  it.each(BLOBS)('%s: is found in results and resources', async (_, bytes, declared) => {
    const resource = { uri: 'x:a', ...declared, blob: blobOf(bytes) }
    for (const block of [
      { type: 'resource', resource },
      { type: 'image', data: blobOf(bytes), ...declared },
    ]) {
      const { entry } = await passes({ content: [block] })
      expect(entry?.findings[0]?.score).toBeGreaterThanOrEqual(BUILT_IN_GUARD_POLICY.threshold)
    }
    const { guard } = createTestGuard()
    const origin = { clientName: 'c', serverId: 'web', tool: 'resources/read x:a', arguments: undefined }
    await expect(
      guard.guardContent({ contents: [resource] }, origin, BUILT_IN_GUARD_POLICY),
    ).rejects.toMatchObject({ code: 'CALL_REFUSED' })
  })

  it.each<[string, JsonObject]>([
    [
      'a link with an encoded address',
      { content: [{ type: 'resource_link', uri: `x:/${encodeURIComponent(ATTACK)}`, name: 'a' }] },
    ],
    [
      'a link with underscores in its name',
      { content: [{ type: 'resource_link', uri: 'x:a', name: ATTACK.replaceAll(' ', '_') }] },
    ],
    [
      'an embedded resource with an encoded address',
      { content: [{ type: 'resource', resource: { uri: `x:${ATTACK.replaceAll(' ', '%20')}`, text: 'a' } }] },
    ],
    ['a list of words', { content: [], structuredContent: { words } }],
    [
      'a list of lines',
      {
        content: [],
        structuredContent: { lines: ['Dear reader,', ...(ATTACK.match(/.{1,25}( |$)/g) ?? [])] },
      },
    ],
    [
      'a list of objects',
      { content: [], structuredContent: { rows: words.map((word, n) => ({ n, word })) } },
    ],
    [
      'numbered fields',
      { content: [], structuredContent: Object.fromEntries(words.map((word, n) => [n, word])) },
    ],
    ['a list in a field that nobody knows', { content: [], extra: { deep: [words] } }],
  ])('is found in %s', async (_, result) => {
    const { entry } = await passes(result)
    expect(entry?.findings.some(({ kind }) => /^(?:override|exfiltration)$/.test(kind))).toBe(true)
  })
})

describe('what is declared as a text and can not be read', () => {
  it.each<[string, JsonObject]>([
    ['noise by its type', { mimeType: 'text/plain', blob: NOISE.toString('base64') }],
    ['noise by its name', { uri: 'x:data.json', blob: NOISE.toString('base64') }],
    [
      'gzip of more than is unpacked',
      { mimeType: 'text/plain', blob: gzipSync(Buffer.alloc(17_000_000, 'a')).toString('base64') },
    ],
    ['damaged zlib', { uri: 'x:a.md', blob: deflateSync(ATTACK).subarray(0, 60).toString('base64') }],
    [
      'another kind of archive',
      { mimeType: 'text/plain', blob: Buffer.concat([Buffer.from('BZh9'), NOISE]).toString('base64') },
    ],
    [
      'words with noise between them behind the first bytes of a picture',
      { mimeType: 'text/plain', blob: torn(ATTACK).toString('base64') },
    ],
    ['damaged gzip', { uri: 'x:a.md', blob: gzipSync(ATTACK).subarray(0, 60).toString('base64') }],
  ])('%s: is kept back as not scanned, and not as an attack', async (_, resource) => {
    const { outcome, entry } = await passes({
      content: [{ type: 'resource', resource: { uri: 'x:a', ...resource } }],
    })
    expect(entry?.findings).toMatchObject([{ kind: 'detector-failed' }])
    expect(JSON.stringify(outcome.result)).toContain('could not be scanned')
  })
})

describe('what is no text', () => {
  it('passes as it is: pictures, sound, documents and unknown data, whatever they are called', async () => {
    const noise = Buffer.from(Array.from({ length: 500 }, (_, n) => (n * 167 + 13) % 256)).toString('base64')
    const result = {
      content: [
        {
          type: 'image',
          mimeType: 'image/png',
          data: Buffer.concat([PNG, Buffer.from(ATTACK)]).toString('base64'),
        },
        { type: 'image', mimeType: 'text/plain', data: PNG.toString('base64') },
        { type: 'audio', mimeType: 'audio/wav', data: Buffer.from('RIFF1234WAVEfmt ').toString('base64') },
        {
          type: 'resource',
          resource: { uri: 'x:a.pdf', blob: Buffer.from('%PDF-1.7\n').toString('base64') },
        },
        { type: 'resource', resource: { uri: 'x:a.bin', blob: noise } },
        { type: 'resource', resource: { uri: 'x:a.txt', blob: '' } },
      ],
      structuredContent: { names: ['Ann', 'Bob', 'Cleo'], rows: [{ a: 'x' }, { a: 'y' }, { a: 'z' }] },
    }
    const { outcome, entry } = await passes(result)
    expect(entry?.findings).toBeUndefined()
    expect(outcome.result).toBe(result)
  })
})
