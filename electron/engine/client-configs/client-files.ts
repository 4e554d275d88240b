export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'other'
  /** Permission bits; on Windows only the read-only attribute. */
  readonly mode: number
  readonly owner: number
  readonly group: number
  readonly size: number
}

/** File system for this feature, by absolute paths; see node-client-files.ts. */
export interface ClientFiles {
  /** Follows links; undefined if missing. */
  facts(path: string): FileFacts | undefined
  /** Behind all links. */
  realPath(path: string): string
  read(path: string): Uint8Array
  list(folder: string): readonly string[]
  /** Atomic: readers see old or new bytes. */
  replace(path: string, bytes: Uint8Array, facts: Pick<FileFacts, 'mode' | 'owner' | 'group'>): void
  /** For this user only, with its folders; fails if it exists. */
  create(path: string, bytes: Uint8Array): void
  /** Recursive; ignores a missing one. */
  remove(path: string): void
}
