import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isSameToken, readAccessToken } from '../../../../electron/engine/clients/transports/access-token.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-token-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('makes 32 random bytes once, in a folder that need not exist, for this user only', async () => {
  const dataDir = join(folder, 'new', 'data')
  const token = await readAccessToken(dataDir)
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  expect(await readAccessToken(dataDir)).toBe(token)
  expect((await readFile(join(dataDir, 'token'), 'utf8')).trim()).toBe(token)
  expect((await stat(join(dataDir, 'token'))).mode & 0o777).toBe(0o600)
  expect(await readdir(dataDir)).toEqual(['token'])
})

it('gives the same token to many that start at once', async () => {
  const tokens = await Promise.all(Array.from({ length: 20 }, () => readAccessToken(folder)))
  expect(new Set(tokens).size).toBe(1)
  expect(await readdir(folder)).toEqual(['token'])
})

it('closes a token file that others could read, and replaces a damaged one', async () => {
  const token = await readAccessToken(folder)
  await chmod(join(folder, 'token'), 0o644)
  expect(await readAccessToken(folder)).toBe(token)
  expect((await stat(join(folder, 'token'))).mode & 0o777).toBe(0o600)
  await writeFile(join(folder, 'token'), '')
  expect(await readAccessToken(folder)).toMatch(/^[\w-]{43}$/)
})

it('compares whole tokens', () => {
  expect(isSameToken('abc', 'abc')).toBe(true)
  expect(isSameToken('ab', 'abc')).toBe(false)
  expect(isSameToken('', 'abc')).toBe(false)
})
