/** Where the value of a secret lies: encrypted for the desktop app, in the system's keyring, or readable in the file. */
export type SecretPlace = 'safe-storage' | 'keyring' | 'file'

export interface SecretEntry {
  readonly name: string
  readonly place: SecretPlace
}

/** Where keys are kept: the system's keychain, or what stands in for it. All of them reject with STORE_FAILED. */
export interface Secrets {
  /** Undefined for a name that nothing is kept under; rejects for one that can't be read here. */
  get(name: string): Promise<string | undefined>
  /** Resolves with where it went. Rejects with BAD_INPUT for a name that can't be one. */
  set(name: string, value: string): Promise<SecretPlace>
  delete(name: string): Promise<void>
  /** By name, without values. */
  list(): Promise<readonly SecretEntry[]>
}

/** What `${secret:NAME}` may name. */
export const SECRET_NAME = /^[A-Za-z0-9](?:[\w.-]{0,98}[\w])?$/
