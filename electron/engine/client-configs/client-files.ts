export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'other'
  /** Unix permission bits; on Windows only the read-only attribute shows in them. */
  readonly mode: number
  readonly owner: number
  readonly group: number
  readonly size: number
}

/** The file system as this feature needs it; node-client-files.ts is the real one. All paths are absolute. */
export interface ClientFiles {
  /** Follows links; undefined when nothing is there. */
  facts(path: string): FileFacts | undefined
  /** The path behind all symbolic links. */
  realPath(path: string): string
  read(path: string): Uint8Array
  /** Names in a folder, sorted; empty when it is not there. */
  list(folder: string): readonly string[]
  /** A reader sees the old bytes or the new ones. Mode and owner become those given. */
  replace(path: string, bytes: Uint8Array, facts: Pick<FileFacts, 'mode' | 'owner' | 'group'>): void
  /** A new file for this user only, with the folders above it; fails when it is there. */
  create(path: string, bytes: Uint8Array): void
  /** A file or a folder with all that is in it; nothing when it is not there. */
  remove(path: string): void
}
