import type { SecretPlace } from './secrets.ts'

/** One way to keep secrets. The file secrets.json says which name lies where, and holds what the vault hands it. */
export interface SecretVault {
  readonly place: SecretPlace
  /** Whether it works on this machine, now; asked before anything is put in. */
  isUsable(): Promise<boolean>
  /** Resolves with what the file keeps for this name; undefined where the vault keeps all of it itself. */
  put(name: string, value: string): Promise<string | undefined>
  /** `kept`: what `put` gave. Undefined where the vault has lost it. */
  get(name: string, kept: string | undefined): Promise<string | undefined>
  remove(name: string): Promise<void>
}
