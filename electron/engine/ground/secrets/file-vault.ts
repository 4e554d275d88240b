import type { SecretVault } from './secret-vault.ts'

/** Where nothing better is: readable in secrets.json by this user, and by every program that runs as this user. */
export const fileVault: SecretVault = {
  place: 'file',
  isUsable: () => Promise.resolve(true),
  put: (_name, value) => Promise.resolve(value),
  get: (_name, kept) => Promise.resolve(kept),
  remove: () => Promise.resolve(),
}
