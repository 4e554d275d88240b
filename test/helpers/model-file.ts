import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CatalogueModel } from '../../electron/engine/models/catalogue.ts'
import { writeTinyGguf } from './tiny-gguf.ts'

export function modelFile(bytes: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  const path = join(folder, 'tiny.gguf')
  writeTinyGguf(path)
  const tiny = readFileSync(path)
  rmSync(folder, { recursive: true })
  const content = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 4) content.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at)
  tiny.copy(content)
  return content
}

export const sha256Of = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

/** A catalogue entry for this content. */
export const offered = (
  content: Buffer,
  urls: readonly string[],
  changes: Partial<CatalogueModel> = {},
): CatalogueModel => ({
  id: 'tiny',
  name: 'Tiny',
  publisher: 'Sluice’s tests',
  about: 'Says alpha beta gamma delta.',
  parameters: '0.0001B',
  quantisation: 'F32',
  contextTokens: 2048,
  licence: 'MIT',
  licenceUrl: 'https://example.com/licence',
  file: 'tiny.gguf',
  bytes: content.length,
  sha256: sha256Of(content),
  urls: [...urls],
  promptFormat: 'template',
  memoryBytes: 200_000_000,
  ...changes,
})
