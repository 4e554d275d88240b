import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { readShared } from '../../../../electron/engine/ground/files/read-shared.ts'

it('reads a whole file into memory that threads share', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  try {
    const bytes = Buffer.from('ab\u0000ü'.repeat(50_000))
    writeFileSync(join(folder, 'file'), bytes)
    const shared = readShared(pathToFileURL(join(folder, 'file')))
    expect(shared).toBeInstanceOf(SharedArrayBuffer)
    expect(bytes.equals(new Uint8Array(shared))).toBe(true)
    expect(() => readShared(pathToFileURL(join(folder, 'none')))).toThrow('ENOENT')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
