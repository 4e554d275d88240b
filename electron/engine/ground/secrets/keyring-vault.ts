import { createHash, randomBytes } from 'node:crypto'
import type { SecretVault } from './secret-vault.ts'

const SERVICE = 'sluice'
/** Linux's default would be the kernel's store, which is lost at a restart. */
const OPTIONS = { linux: { store: 'secret-service' } } as const
/** A locked keyring asks the user, who by then is absent. */
const LONGEST_MS = 30_000

/** Keychain, Credential Manager, Secret Service. Separate per data folder. */
export function createKeyringVault(dataDir: string): SecretVault {
  const folder = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const entry = async (name: string) => {
    const { AsyncEntry } = await import('@napi-rs/keyring')
    return new AsyncEntry(SERVICE, `${folder}/${name}`, OPTIONS)
  }
  const signal = (): AbortSignal => AbortSignal.timeout(LONGEST_MS)
  let usable: Promise<boolean> | undefined
  /** Writes and reads back, because without a keyring a read finds nothing without an error. */
  const probe = async (): Promise<boolean> => {
    try {
      const value = randomBytes(8).toString('hex')
      const probing = await entry(`probe-${value}`)
      await probing.setPassword(value, signal())
      const found = await probing.getPassword(signal())
      await probing.deletePassword(signal())
      return found === value
    } catch {
      return false
    }
  }
  return {
    place: 'keyring',
    isUsable: () => (usable ??= probe()),
    put: async (name, value) => {
      await (await entry(name)).setPassword(value, signal())
      return undefined
    },
    get: async (name) => (await (await entry(name)).getPassword(signal())) ?? undefined,
    remove: async (name) => {
      await (await entry(name)).deletePassword(signal())
    },
  }
}
