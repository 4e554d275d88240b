import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileVault } from '../../../../electron/engine/ground/secrets/file-vault.ts'
import { createKeyringVault } from '../../../../electron/engine/ground/secrets/keyring-vault.ts'
import { openSecrets } from '../../../../electron/engine/ground/secrets/open-secrets.ts'
import type { SecretVault } from '../../../../electron/engine/ground/secrets/secret-vault.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

/** A reversible encoding, enough to show that the file holds the vault's output. */
const encoding: SecretVault = {
  place: 'safe-storage',
  isUsable: () => Promise.resolve(true),
  put: (_name, value) => Promise.resolve(Buffer.from(value).toString('base64')),
  get: (_name, kept) => Promise.resolve(kept && Buffer.from(kept, 'base64').toString()),
  remove: () => Promise.resolve(),
}
const headless = (dataDir: string, warnings: string[] = []) =>
  openSecrets({ dataDir, vaults: [fileVault], warn: (message) => warnings.push(message) })
const desktop = (dataDir: string) =>
  openSecrets({ dataDir, safeStorage: encoding, vaults: [fileVault], warn: () => {} })
const fileOf = (dataDir: string): string => readFileSync(join(dataDir, 'secrets.json'), 'utf8')

describe('secrets', () => {
  it('are kept for this user alone, with a warning where they are readable', async () => {
    const dataDir = temporaryFolder()
    const warnings: string[] = []
    const secrets = headless(dataDir, warnings)
    expect(await secrets.set('token', 'pass word\nwith "quotes" ✓')).toBe('file')
    expect(await secrets.get('token')).toBe('pass word\nwith "quotes" ✓')
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
    expect(warnings).toEqual([expect.stringContaining('is readable in')])
    expect(await secrets.list()).toEqual([{ name: 'token', place: 'file' }])
    await secrets.delete('token')
    expect(await secrets.get('token')).toBeUndefined()
    expect(fileOf(dataDir)).not.toContain('pass word')
  })

  it('of the desktop app are not readable in the file, and say so where the app is not there', async () => {
    const dataDir = temporaryFolder()
    expect(await desktop(dataDir).set('token', 'abcdef')).toBe('safe-storage')
    expect(fileOf(dataDir)).not.toContain('abcdef')
    expect(await desktop(dataDir).get('token')).toBe('abcdef')
    await expect(headless(dataDir).get('token')).rejects.toThrow(
      /kept by the desktop app.*Start Sluice's app/s,
    )
    // The app reads what was stored without it, and then stores it encrypted.
    await headless(dataDir).set('other', 'plain')
    expect(await desktop(dataDir).get('other')).toBe('plain')
    await desktop(dataDir).set('other', 'plain')
    expect(fileOf(dataDir)).not.toContain('plain')
  })

  it('are found by another process at once, and another one’s stay', async () => {
    const dataDir = temporaryFolder()
    const [one, other] = [headless(dataDir), headless(dataDir)]
    await one.set('a', '1')
    await other.set('b', '2')
    expect(await one.get('b')).toBe('2')
    expect(await other.get('a')).toBe('1')
  })

  it.each(['', '{', '[]', '{"version":2,"secrets":{}}', '{"version":1,"secrets":{"a":{"in":"cloud"}}}'])(
    'leave a damaged file as it is: %j',
    async (text) => {
      const dataDir = temporaryFolder()
      writeFileSync(join(dataDir, 'secrets.json'), text)
      const secrets = headless(dataDir)
      await expect(secrets.get('a')).rejects.toThrow('left as it is')
      await expect(secrets.set('a', 'x')).rejects.toThrow('left as it is')
      expect(fileOf(dataDir)).toBe(text)
    },
  )

  it.each(['', 'with space', '../up', 'a'.repeat(101), '-x', 'x.', '${x}'])(
    'take no name such as %j',
    async (name) => {
      await expect(headless(temporaryFolder()).set(name, 'x')).rejects.toThrow("can't be the name")
    },
  )

  it.each(['constructor', '__proto__', 'toString'])('find nothing under %s', async (name) => {
    expect(await headless(temporaryFolder()).get(name)).toBeUndefined()
  })

  it('say so when a vault has lost one', async () => {
    const dataDir = temporaryFolder()
    await desktop(dataDir).set('token', 'abc')
    const forgetful: SecretVault = { ...encoding, get: () => Promise.resolve(undefined) }
    const secrets = openSecrets({ dataDir, safeStorage: forgetful, vaults: [fileVault], warn: () => {} })
    await expect(secrets.get('token')).rejects.toThrow('not where it was kept')
  })
})

describe('the system’s keyring', () => {
  it('keeps a secret and forgets it; where there is none, it says so before anything is lost', async (context) => {
    const dataDir = temporaryFolder()
    const vault = createKeyringVault(dataDir)
    if (!(await vault.isUsable())) {
      console.warn('There is no keyring here: only its absence is tested.')
      const warnings: string[] = []
      const secrets = openSecrets({ dataDir, warn: (message) => warnings.push(message) })
      expect(await secrets.set('token', 'abc')).toBe('file')
      expect(warnings).toHaveLength(1)
      context.skip('no keyring on this machine')
    }
    await vault.put('token', 'abc')
    expect(await vault.get('token', undefined)).toBe('abc')
    await vault.remove('token')
    expect(await vault.get('token', undefined)).toBeUndefined()
  })
})
