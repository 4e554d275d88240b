export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'other'
  /** Unix permission bits; on Windows they show only the read-only attribute. */
  readonly mode: number
  readonly owner: number
  readonly group: number
  readonly size: number
}

/** The file system for this feature; implemented by node-client-files.ts. All paths are absolute. */
export interface ClientFiles {
  /** Follows links; undefined when nothing is there. */
  facts(path: string): FileFacts | undefined
  /** The path behind all symbolic links. */
  realPath(path: string): string
  read(path: string): Uint8Array
  /** Sorted names; empty if the folder is missing. */
  list(folder: string): readonly string[]
  /** Atomic: readers see old or new bytes. Sets mode and owner. */
  replace(path: string, bytes: Uint8Array, facts: Pick<FileFacts, 'mode' | 'owner' | 'group'>): void
  /** Creates a file for this user only, with its folders; fails if it exists. */
  create(path: string, bytes: Uint8Array): void
  /** Removes a file or a folder recursively; ignores a missing one. */
  remove(path: string): void
}
