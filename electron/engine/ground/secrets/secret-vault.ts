import type { SecretPlace } from './secrets.ts'

/** secrets.json records each name's vault and what the vault returns for it. */
export interface SecretVault {
  readonly place: SecretPlace
  /** Here and now; called before storing. */
  isUsable(): Promise<boolean>
  /** The file's part; undefined if the vault keeps everything. */
  put(name: string, value: string): Promise<string | undefined>
  /** `kept`: from `put`. Undefined if lost. */
  get(name: string, kept: string | undefined): Promise<string | undefined>
  remove(name: string): Promise<void>
}
