/** Encrypted for the desktop app, in the system's keyring, or readable in the file. */
export type SecretPlace = 'safe-storage' | 'keyring' | 'file'

export interface SecretEntry {
  readonly name: string
  readonly place: SecretPlace
}

/** Methods reject with STORE_FAILED. */
export interface Secrets {
  /** Undefined if unused; rejects if unreadable here. */
  get(name: string): Promise<string | undefined>
  /** Rejects with BAD_INPUT for an invalid name. */
  set(name: string, value: string): Promise<SecretPlace>
  delete(name: string): Promise<void>
  list(): Promise<readonly SecretEntry[]>
}

/** In `${secret:NAME}`. */
export const SECRET_NAME = /^[A-Za-z0-9](?:[\w.-]{0,98}[\w])?$/
