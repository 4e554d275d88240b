import { describe, expect, test } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'
import { seededRandom } from '../../../train/seeded-random.ts'

const random = seededRandom(5)
const bytes = (count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)))
const base64 = (count: number, width: number): string =>
  (
    bytes(count)
      .toString('base64')
      .match(new RegExp(`.{1,${width}}`, 'g')) ?? []
  ).join('\n')
const compress = await loadCompressor()
const ENCODED = /^[A-Za-z\d+/]{60,}$/m

describe('bytes of a file give way', () => {
  const letter = [
    'From: Rosa Weidmann <rosa@treuhand.example>',
    'Subject: Delivery note',
    'Content-Type: multipart/mixed; boundary="b1"',
    '',
    '--b1',
    'Content-Type: text/plain',
    '',
    'The delivery note of invoice 1187 has not arrived.',
    'Please send it by Friday, 20 November.',
    '',
    '--b1',
    'Content-Type: application/pdf',
    'Content-Transfer-Encoding: base64',
    '',
    base64(20_000, 76),
    '--b1--',
  ].join('\n')

  test('to the text of a mail', () => {
    const { text } = compress({
      text: letter,
      budget: 300,
      goal: 'Until when do they need the missing document?',
    })
    expect(text).toContain('Please send it by Friday, 20 November.')
    expect(text).not.toMatch(ENCODED)
  })

  test('to what a list of certificates says of each', () => {
    const certificate = (i: number): string =>
      [
        'Certificate:',
        '    Data:',
        `        Serial Number: ${i * 7919}`,
        `        Issuer: O = Trust ${['North', 'South', 'East'][i % 3]}, CN = Root ${i}`,
        `            Not After : Dec ${10 + i} 09:37:37 2030 GMT`,
        '    Signature Value:',
        ...bytes(180)
          .toString('hex')
          .match(/.{36}/g)!
          .map((line) => `        ${line.replace(/../g, '$&:')}`),
        '-----BEGIN CERTIFICATE-----',
        base64(900, 64),
        '-----END CERTIFICATE-----',
      ].join('\n')
    const text = Array.from({ length: 4 }, (_, i) => certificate(i)).join('\n')
    expect(compress({ text, budget: 300 }).text).not.toMatch(ENCODED)
    expect(compress({ text, budget: 300 }).text).toContain('Trust ')
  })
})
