import type { SecretPlace } from './secrets.ts'

/** secrets.json records each name's vault and what the vault returns for it. */
export interface SecretVault {
  readonly place: SecretPlace
  /** Now, on this machine; called before storing. */
  isUsable(): Promise<boolean>
  /** Resolves with the file's part; undefined if the vault keeps everything. */
  put(name: string, value: string): Promise<string | undefined>
  /** `kept`: what `put` returned. Undefined if the vault has lost it. */
  get(name: string, kept: string | undefined): Promise<string | undefined>
  remove(name: string): Promise<void>
}
