import { safeStorage } from 'electron'
import type { SecretVault } from '../engine/ground/secrets/secret-vault.ts'

/** Unavailable on Linux without a keyring, because the key would be public. */
export const safeStorageVault = (platform: NodeJS.Platform): SecretVault => ({
  place: 'safe-storage',
  isUsable: () =>
    Promise.resolve(
      safeStorage.isEncryptionAvailable() &&
        (platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text'),
    ),
  put: (_name, value) => Promise.resolve(safeStorage.encryptString(value).toString('base64')),
  get: (_name, kept) =>
    Promise.resolve(kept === undefined ? undefined : safeStorage.decryptString(Buffer.from(kept, 'base64'))),
  remove: () => Promise.resolve(),
})
